/** `npm run selfie -- me.jpg star.jpg -o out.jpg`: one picture from the command line. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { createEngine } from './engine.ts'
import type { AdmittedPhoto, Engine, SelfieInput } from './engine-calls.ts'
import { sceneNames, selfieAspects } from './image-provider.ts'
import type { Aspect, NormalisedPhoto, Scene } from './image-provider.ts'
import { normaliseBackground } from './photo/normalise-background.ts'
import { PhotoError } from './photo/photo-error.ts'
import type { PhotoRefusal, PhotoRole } from './photo/photo-error.ts'
import sentences from './refusal-sentences.json' with { type: 'json' }

const help = `Puts the person of one photo and the star of another into one picture.

Usage: npm run selfie -- <your photo> <the star's photo> -o <picture>

Photos may be JPEG, PNG, WebP, AVIF or GIF. The picture is a JPEG, or a PNG when its name ends
in .png.

Options:
  -o, --output <file>   where the picture goes (needed)
  --scene <name>        ${sceneNames.join(', ')}
                        (taken from the prompt's words when it is left out, else own)
  --background <file>   a photo of a place to stand in, instead of a scene
  --aspect <ratio>      ${selfieAspects.join(', ')} (4:5)
  --high                1536 instead of 1024 pixels wide at 4:5
  --prompt <words>      what the picture should be like
  --no-watermark        without the brand mark
  --watermark <text>    text of the brand mark (localhost)
  --help                this text

Exit codes: 0 made, 1 failed, 2 called the wrong way, 3 a photo can't be used.`

const refusalSentences: Record<PhotoRefusal, string> = sentences

/** The command was called the wrong way. */
class UsageError extends Error {}

interface SelfieArguments {
  userFile: string
  starFile: string
  outputFile: string
  scene: Scene | undefined
  backgroundFile: string | undefined
  aspect: Aspect
  resolution: 'standard' | 'high'
  prompt: string | undefined
  watermark: string | undefined
}

/** @returns undefined when help is asked for */
function readArguments(args: string[]): SelfieArguments | undefined {
  const { values, positionals } = parse(args)
  if (values.help) return undefined
  const [userFile, starFile, ...rest] = positionals
  if (userFile === undefined || starFile === undefined || rest.length > 0) {
    throw new UsageError('Two photos are needed: yours and the star’s.')
  }
  if (values.output === undefined) throw new UsageError('Say where to write the picture with -o.')
  return {
    userFile,
    starFile,
    outputFile: values.output,
    scene: oneOf(sceneNames, values.scene, '--scene'),
    backgroundFile: values.background,
    aspect: oneOf(selfieAspects, values.aspect, '--aspect') ?? '4:5',
    resolution: values.high ? 'high' : 'standard',
    prompt: values.prompt,
    watermark: values['no-watermark'] ? undefined : values.watermark,
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        output: { type: 'string', short: 'o' },
        scene: { type: 'string' },
        background: { type: 'string' },
        aspect: { type: 'string' },
        high: { type: 'boolean', default: false },
        prompt: { type: 'string' },
        watermark: { type: 'string', default: 'localhost' },
        'no-watermark': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function oneOf<Choice extends string>(
  choices: readonly Choice[],
  value: string | undefined,
  option: string,
): Choice | undefined {
  const choice = choices.find((each) => each === value)
  if (value !== undefined && choice === undefined) {
    throw new UsageError(`${option} must be one of ${choices.join(', ')}.`)
  }
  return choice
}

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
