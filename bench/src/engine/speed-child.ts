import { createEngine } from '@starside/engine/engine.ts'
import sharp from 'sharp'

export interface SpeedReport {
  /** Median of all runs but the first. */
  wallMs: number
  cpuMs: number
  slowestMs: number
  firstMs: number
  firstCpuMs: number
  peakMb: number
  /** Resident memory after 10, 50 and 100 % of the runs. */
  memoryMb: number[]
}

/** `two` makes two pictures at a time. */
export type Job = 'engine' | 'two' | 'floor' | 'jimp'

interface Order {
  job: Job
  photos: Buffer[]
  runs: number
}

process.on('message', ({ job, photos, runs }: Order) => {
  void measure(job, photos, runs).then((report) => process.send!(report))
})

async function measure(job: Job, photos: Buffer[], runs: number): Promise<SpeedReport> {
  const { once, close } = await open(job, photos)
  const walls: number[] = []
  const cpus: number[] = []
  const memory: number[] = []
  for (let i = 0; i < runs; i++) {
    const start = performance.now()
    const cpu = process.cpuUsage()
    await once()
    walls.push(performance.now() - start)
    const { user, system } = process.cpuUsage(cpu)
    cpus.push((user + system) / 1000)
    memory.push(process.memoryUsage.rss() / 1e6)
  }
  const peakMb = (process.resourceUsage().maxRSS * 1024) / 1e6
  await close()
  return {
    wallMs: median(walls.slice(1)),
    cpuMs: median(cpus.slice(1)),
    slowestMs: Math.max(...walls.slice(1)),
    firstMs: walls[0]!,
    firstCpuMs: cpus[0]!,
    peakMb,
    memoryMb: [0.1, 0.5, 1].map((part) => memory[Math.ceil(runs * part) - 1]!),
  }
}

async function open(
  job: Job,
  photos: Buffer[],
): Promise<{ once: () => Promise<unknown>; close: () => Promise<void> }> {
  const nothing = (): Promise<void> => Promise.resolve()
  if (job === 'floor') {
    const once = (): Promise<unknown> =>
      Promise.all(photos.map((photo) => sharp(photo).resize(1024).jpeg().toBuffer()))
    return { once, close: nothing }
  }
  if (job === 'jimp') return { once: await jimpJob(photos), close: nothing }
  // As the engine's own process does.
  sharp.cache(false)
  const engine = createEngine({ preload: true })
  const makeOne = async (): Promise<unknown> => {
    const [userPhoto, starPhoto] = await Promise.all(photos.map((photo) => engine.normalise(photo)))
    return await engine.makeSelfie({
      userPhoto: userPhoto!,
      stars: [{ photo: starPhoto! }],
      aspect: '4:5',
      resolution: 'standard',
      watermarkText: 'starside.example',
      systemVersion: 'bench',
    })
  }
  const makeTwo = (): Promise<unknown> => Promise.all([makeOne(), makeOne()])
  return { once: job === 'two' ? makeTwo : makeOne, close: () => engine.close() }
}

/** What every selfie app in plain JavaScript would have to do at least. */
async function jimpJob(photos: Buffer[]): Promise<() => Promise<unknown>> {
  const { Jimp } = await import('jimp')
  const mark = await sharp({
    text: { text: '<span foreground="white">starside.example</span>', rgba: true, dpi: 200 },
  })
    .png()
    .toBuffer()
  return async () => {
    const overlay = await Jimp.read(mark)
    const pictures = []
    for (const photo of photos) {
      const image = await Jimp.read(photo)
      image.resize({ w: 1024 })
      image.composite(overlay, 40, image.height - overlay.height - 40)
      pictures.push(await image.getBuffer('image/jpeg', { quality: 85 }))
    }
    return pictures
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? NaN
}
