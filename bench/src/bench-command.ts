/**
 * `npm run bench -- <name> [arguments] [--write]`: runs one measurement; without a name, all of them.
 * Results are printed; with `--write` they also become a section of `docs/benchmarks.md`.
 */
import { explainFailure } from '@starside/server/operator/commands/operator-command.ts'
import { codeOf } from '@starside/server/platform/errors/code-of.ts'
import { sectionText, writeSection } from './page/write-section.ts'
import type { Section } from './page/write-section.ts'

/** Takes the remaining arguments; resolves to the section it measured, unless it printed by itself. */
interface Measurement {
  run(args: string[], options: { writes: boolean }): Promise<Section | void>
}

/** Every measurement by its name. */
const measurements: Record<string, () => Promise<Measurement>> = {
  all: () => import('./all.ts'),
  backup: () => import('./backup.ts'),
  'engine-judge': () => import('./engine-judge.ts'),
  'engine-speed': () => import('./engine-speed.ts'),
  'engine-variations': () => import('./engine-variations.ts'),
  'invisible-mark': () => import('./invisible-mark.ts'),
  events: () => import('./events.ts'),
  growth: () => import('./growth.ts'),
  load: () => import('./load.ts'),
  money: () => import('./money.ts'),
  'selfie-cost': () => import('./selfie-cost.ts'),
  server: () => import('./server.ts'),
  start: () => import('./start.ts'),
  web: () => import('./web.ts'),
}

const words = process.argv.slice(2)
const writes = words.includes('--write')
const [name = 'all', ...args] = words.filter((word) => word !== '--write')
const load = Object.hasOwn(measurements, name) ? measurements[name] : undefined
if (load) {
  const measurement = await load()
  try {
    const section = await measurement.run(args, { writes })
    if (section !== undefined) await show(section)
    else if (writes && name !== 'all')
      console.error(`${name} has no section in docs/benchmarks.md.`)
  } catch (error) {
    const isOfArguments = error instanceof Error && codeOf(error).startsWith('ERR_PARSE_ARGS')
    const sentence = isOfArguments ? error.message : explainFailure(error)
    if (sentence === undefined) throw error
    console.error(sentence)
    process.exitCode = 2
  }
} else {
  const names = Object.keys(measurements).join(', ')
  console.error(`npm run bench -- <name> [arguments] [--write]\nThere are: ${names}`)
  process.exitCode = 2
}

async function show(section: Section): Promise<void> {
  const text = sectionText(section, ['npm run bench --', name, ...args].join(' '))
  console.log(text)
  if (writes) await writeSection(section.title, text)
}
