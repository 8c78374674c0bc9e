/** `npm run selfie -- me.jpg star.jpg -o out.jpg`: one picture from the command line. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { createEngine } from './engine.ts'
import type { AdmittedPhoto, Engine, SelfieInput } from './engine-calls.ts'
import type { NormalisedPhoto } from './image-provider.ts'
import { normaliseBackground } from './photo/normalise-background.ts'
import { PhotoError } from './photo/photo-error.ts'
import type { PhotoRefusal, PhotoRole } from './photo/photo-error.ts'
import sentences from './refusal-sentences.json' with { type: 'json' }
import { help, readArguments, UsageError } from './selfie-arguments.ts'
import type { SelfieArguments } from './selfie-arguments.ts'

const refusalSentences: Record<PhotoRefusal, string> = sentences

async function readPhoto(engine: Engine, file: string, role: PhotoRole): Promise<AdmittedPhoto> {
  const bytes = await readFile(file)
  try {
    return await engine.admit({ bytes })
  } catch (error) {
    throw error instanceof PhotoError ? new PhotoError(error.code, role) : error
  }
}

async function readBackground(file: string | undefined): Promise<NormalisedPhoto | undefined> {
  if (file === undefined) return undefined
  try {
    return await normaliseBackground(await readFile(file))
  } catch (error) {
    throw error instanceof PhotoError ? new PhotoError(error.code, 'background') : error
  }
}

async function make(engine: Engine, options: SelfieArguments): Promise<Uint8Array> {
  const user = await readPhoto(engine, options.userFile, 'user')
  const star = await readPhoto(engine, options.starFile, 'star')
  const request: SelfieInput = {
    userPhoto: user.photo,
    userFaceIndexes: user.faceIndexes,
    stars: [{ photo: star.photo, faceIndex: star.faceIndexes?.[0] }],
    scene: options.scene,
    backgroundPhoto: await readBackground(options.backgroundFile),
    aspect: options.aspect,
    resolution: options.resolution,
    prompt: options.prompt,
    watermarkText: options.watermark ?? 'localhost',
    systemVersion: await readVersion(),
  }
  const selfie = await engine.makeSelfie(request, {
    onStage: (stage) => process.stderr.write(`${stage} …\n`),
  })
  const jpeg = options.watermark === undefined ? selfie.clean : selfie.watermarked
  const wantsPng = path.extname(options.outputFile).toLowerCase() === '.png'
  return wantsPng ? await engine.toPng(jpeg) : jpeg
}

async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  const manifest: unknown = JSON.parse(text)
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return hasVersion ? String(manifest.version) : 'unknown'
}

/** @returns the exit code */
async function run(args: string[]): Promise<number> {
  const options = readArguments(args)
  if (options === undefined) {
    process.stdout.write(`${help}\n`)
    return 0
  }
  const engine = createEngine()
  try {
    const picture = await make(engine, options)
    await writeFile(options.outputFile, picture)
    process.stdout.write(`${options.outputFile}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof PhotoError)) throw error
    const { userFile: user, starFile: star, backgroundFile: background } = options
    const file = { user, star, background }[error.photo ?? 'user'] ?? user
    process.stderr.write(`${file}: ${refusalSentences[error.code]}\n`)
    return 3
  } finally {
    await engine.close()
  }
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  const isUsage = error instanceof UsageError
  process.stderr.write(isUsage ? `${message}\nSee: npm run selfie -- --help\n` : `${message}\n`)
  process.exitCode = isUsage ? 2 : 1
}
