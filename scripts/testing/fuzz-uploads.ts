/**
 * `npm run test:fuzz -- [count] [first seed]`: damages a real photo of each format that often
 * (10,000 times by default) and has the engine's own process read every one. Fails when
 * an upload crashes or stalls that process, when an answer is neither a refusal nor a picture, or
 * when the process has grown by more than 50 MB since it was warm. The small form of it runs with
 * the other tests (engine/src/photo/mutated-uploads.test.ts).
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { createEngineHost } from '../../engine/src/engine-host.ts'
import { mutateUpload } from '../../engine/src/testing/mutate-upload.ts'
import { PhotoError } from '../../engine/src/photo/photo-error.ts'
import { projectFolder } from '../project-folder.js'

const usage = 'Usage: npm run test:fuzz -- [count] [first seed], two whole numbers (10000 and 0)'
const words = process.argv.slice(2)
if (words.length > 2 || words.some((word) => !/^\d{1,9}$/u.test(word))) {
  console.error(usage)
  process.exit(words.includes('--help') ? 0 : 2)
}
const [count = 10_000, firstSeed = 0] = words.map(Number)
const growthMaxMb = 50
const atOnce = 4
/** Until then decoders, threads and heaps grow to their working size. */
const warmUp = Math.min(500, Math.floor(count / 4))

const photo = await sharp(path.join(projectFolder, 'engine/fixtures/user-1.jpg'))
  .resize(320)
  .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
  .withIccProfile('p3')
  .png()
  .toBuffer()
const source = () => sharp(photo).keepMetadata()
const files = {
  jpeg: await source().jpeg().toBuffer(),
  png: await source().png().toBuffer(),
  webp: await source().webp().toBuffer(),
  avif: await source().avif({ effort: 0 }).toBuffer(),
  gif: await source().gif().toBuffer(),
}

let crashes = 0
const host = createEngineHost({
  readingsMax: atOnce,
  onCrash(error) {
    crashes += 1
    console.error(`the engine's process was lost: ${error.message}`)
  },
})
await host.start()
let hasFailed = false
for (const [format, file] of Object.entries(files)) {
  const outcomes = new Map<string, number>()
  const startedAt = performance.now()
  await tryAll(file, 0, warmUp, outcomes)
  const warmMb = await residentMb()
  await tryAll(file, warmUp, count, outcomes)
  const growthMb = (await residentMb()) - warmMb
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
  const told = [...outcomes]
    .toSorted((a, b) => b[1] - a[1])
    .map(([name, times]) => `${name} ${times}`)
  console.log(
    `${format}: ${count} in ${seconds} s, grew ${growthMb.toFixed(1)} MB; ${told.join(', ')}`,
  )
  hasFailed ||= growthMb > growthMaxMb || outcomes.has('FAULT')
}
await host.close()
console.log(`${crashes} crashes`)
process.exit(hasFailed || crashes > 0 ? 1 : 0)

async function tryAll(file: Uint8Array, from: number, to: number, outcomes: Map<string, number>) {
  let next = from
  const worker = async () => {
    while (next < to) {
      const seed = firstSeed + next++
      const outcome = await tryOne(file, seed)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

async function tryOne(file: Uint8Array, seed: number): Promise<string> {
  try {
    const { widthPx, heightPx } = await host.normalise(mutateUpload(file, seed))
    return widthPx >= 1 && heightPx >= 1 ? 'picture' : 'FAULT'
  } catch (error) {
    if (error instanceof PhotoError) return error.code
    console.error(`seed ${seed}: ${String(error)}`)
    return 'FAULT'
  }
}

/** Resident memory of the engine's process; 0 where the system does not tell it in a file. */
async function residentMb(): Promise<number> {
  const status = await readFile(`/proc/${host.pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}
