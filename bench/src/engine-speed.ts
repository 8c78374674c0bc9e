import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { minimalEnvironment } from '@starside/engine/engine-child.ts'
import { processFlags } from '@starside/engine/process-settings.ts'
import sharp from 'sharp'
import type { Job, SpeedReport } from './engine/speed-child.ts'

const usage =
  'npm run bench -- engine-speed <user photo> <star photo or cut-out> [--runs <number>] [--jimp] ' +
  '[--two]'

/**
 * Times two 12-megapixel JPEGs → finished JPEG in a process of its own, against two measures of the
 * same run: sharp decoding and encoding the same files (the floor), and Jimp doing nothing but
 * decode, resize, watermark and encode (the peer). Photos are scaled to 12 megapixels and encoded
 * as JPEG; only a cut-out stays what it is. `--two` asks for two pictures at a time. On a busy
 * machine rely on the ratios and the CPU times.
 */
export async function run(args: string[]): Promise<void> {
  const runsAt = args.indexOf('--runs')
  const runs = runsAt < 0 ? 20 : Number(args[runsAt + 1])
  const withJimp = args.includes('--jimp')
  const [user, star] = args.filter(
    (arg, i) => !arg.startsWith('--') && (runsAt < 0 || i !== runsAt + 1),
  )
  if (!user || !star || !Number.isInteger(runs)) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  const photos = await Promise.all([user, star].map((file) => twelveMegapixels(resolve(file))))
  // Fills the compile cache, which every start but the very first one finds.
  await inChild('engine', photos, 1)
  const report = await inChild('engine', photos, runs)
  const pairs = args.includes('--two') ? await inChild('two', photos, runs) : undefined
  const floor = await inChild('floor', photos, runs)
  const peer = withJimp
    ? await inChild('jimp', await Promise.all(photos.map(readableByJimp)), 2)
    : undefined
  print('engine, first', { ...report, wallMs: report.firstMs, cpuMs: report.firstCpuMs }, floor)
  print('engine, warm p50', report, floor)
  if (pairs) print('two at once, p50', pairs, floor)
  print('floor: sharp', floor, floor)
  if (peer) print('peer: Jimp', peer, floor)
  console.log(
    `memory over ${runs} selfies: ${report.memoryMb.map((mb) => mb.toFixed(0)).join(' → ')} MB`,
  )
  console.log(`slowest of the warm runs: ${report.slowestMs.toFixed(0)} ms`)
  if (pairs) {
    console.log(
      `one after the other ${(1000 / report.wallMs).toFixed(2)} pictures a second, ` +
        `two at once ${(2000 / pairs.wallMs).toFixed(2)}`,
    )
  }
  if (peer) console.log(`engine / Jimp: ${(report.cpuMs / peer.cpuMs).toFixed(2)} of its CPU time`)
}

function print(name: string, report: SpeedReport, floor: SpeedReport): void {
  console.log(
    `${name.padEnd(20)} wall ${report.wallMs.toFixed(0).padStart(6)} ms` +
      `  cpu ${report.cpuMs.toFixed(0).padStart(6)} ms` +
      `  × floor ${(report.cpuMs / floor.cpuMs).toFixed(1).padStart(5)}` +
      `  peak RSS ${report.peakMb.toFixed(0).padStart(5)} MB`,
  )
}

/** The photo as a phone would have sent it: 12 megapixels, JPEG; a cut-out keeps its size. */
async function twelveMegapixels(file: string): Promise<Buffer> {
  const bytes = await readFile(file)
  const { hasAlpha, width, height } = await sharp(bytes).autoOrient().metadata()
  if (hasAlpha) return bytes
  const scale = Math.sqrt(12_000_000 / (width * height))
  return sharp(bytes)
    .autoOrient()
    .resize(Math.round(width * scale))
    .jpeg({ quality: 92 })
    .toBuffer()
}

/** Jimp knows no WebP, which cut-outs come as. */
async function readableByJimp(photo: Buffer): Promise<Buffer> {
  const { format } = await sharp(photo).metadata()
  return format === 'webp' ? sharp(photo).png().toBuffer() : photo
}

function inChild(job: Job, photos: readonly Buffer[], runs: number): Promise<SpeedReport> {
  return new Promise((done, failed) => {
    const child = fork(new URL('./engine/speed-child.ts', import.meta.url), [], {
      // As the engine's own process is started.
      env: minimalEnvironment(process.env),
      execArgv: [...processFlags],
      serialization: 'advanced',
    })
    child.on('message', (report: SpeedReport) => {
      done(report)
      child.disconnect()
    })
    child.on('error', failed)
    child.on('exit', (code) => failed(new Error(`The measured process ended with ${code}`)))
    child.send({ job, photos, runs })
  })
}
