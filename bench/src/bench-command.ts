/** `npm run bench -- <name> [arguments]`: runs one measurement; without a name, all of them. */
import { explainFailure, isRefusalOfArguments } from '@starside/server/start/explain-failure.ts'

/** Every measurement by its name; its file exports `run`, which takes the remaining arguments. */
const measurements: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  all: () => import('./all.ts'),
  'engine-judge': () => import('./engine-judge.ts'),
  'engine-quality': () => import('./engine-quality.ts'),
  'engine-speed': () => import('./engine-speed.ts'),
  'draw-one-light': () => import('./draw-one-light.ts'),
  'learn-light-regions': () => import('./learn-light-regions.ts'),
  'invisible-mark': () => import('./invisible-mark.ts'),
  growth: () => import('./growth.ts'),
  load: () => import('./load.ts'),
  money: () => import('./money.ts'),
  'selfie-cost': () => import('./selfie-cost.ts'),
  server: () => import('./server.ts'),
  start: () => import('./start.ts'),
  static: () => import('./static.ts'),
  web: () => import('./web.ts'),
}

const [name = 'all', ...args] = process.argv.slice(2)
const load = Object.hasOwn(measurements, name) ? measurements[name] : undefined
if (load) {
  const measurement = await load()
  try {
    await measurement.run(args)
  } catch (error) {
    const sentence = isRefusalOfArguments(error) ? error.message : explainFailure(error)
    if (sentence === undefined) throw error
    console.error(sentence)
    process.exitCode = 2
  }
} else {
  const names = Object.keys(measurements).join(', ')
  console.error(`npm run bench -- <name> [arguments]\nThere are: ${names}`)
  process.exitCode = 2
}
