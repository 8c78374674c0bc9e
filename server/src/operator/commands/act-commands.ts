import { readFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { createEngine } from '@starside/engine/engine.ts'
import { loadPresets } from '../../stars/presets.ts'
import { startJobQueue } from '../../platform/jobs/job-queue.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import type { Act, ActOutcome, ActParts } from '../act.ts'
import type { ActField } from '../act-fields.ts'
import { acts } from '../acts.ts'
import { runLogged } from '../operator-log.ts'
import { receiptQueue } from '../../payments/payments.ts'
import { readStars } from '../../stars/open-presets.ts'
import { starQueue } from '../../stars/star-objects.ts'
import { openStoreOf, readKeysOf } from './operator-command.ts'
import kindWords from './value-words.json' with { type: 'json' }
import type { GivenWords, OperatorCommands, OperatorParts } from './operator-command.ts'

/** Who stands in the log of operators for what a command did. */
export const commandLine = 'command line'

/** What stands behind an option, by the kind of its field; behind all others a text. */
const valueWords = new Map(Object.entries(kindWords))

/** A command for each act of operators; what it changes stands in their log, as that of a page does. */
export const actCommands: OperatorCommands = Object.fromEntries(
  acts.map((act) => {
    const run = (parts: OperatorParts, words: GivenWords) => runAct(act, parts, words)
    return [act.name, { usage: usageOf(act), help: act.help, run }]
  }),
)

type Fields = [name: string, field: ActField][]

/** Fields by where they stand: words in their order, then options. */
function sortFields({ fields }: Pick<Act, 'fields'>): { places: Fields; options: Fields } {
  const seen = Object.entries(fields).filter(([, { kind }]) => kind !== 'once')
  return {
    places: seen.filter(([, { place }]) => place !== undefined),
    options: seen.filter(([, { place }]) => place === undefined),
  }
}

/** `personUsesMax` and `line_es` as options: `person-uses-max` and `line-es`. */
function optionOf([name, { option }]: Fields[number]): string {
  return option ?? name.replaceAll('_', '-').replaceAll(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)
}

function usageOf(act: Act): string {
  const { places, options } = sortFields(act)
  const words = options.map((each) => {
    const [, { kind = 'text', isRequired }] = each
    const value = typeof kind === 'string' ? (valueWords.get(kind) ?? 'TEXT') : kind.join('|')
    const word = `--${optionOf(each)} ${value}`.trim()
    return isRequired === true ? word : `[${word}]`
  })
  return [...places.map(([, { place = '' }]) => place), ...words].join(' ')
}

export async function runAct(act: Act, parts: OperatorParts, words: GivenWords): Promise<number> {
  const { fields, filePaths } = readFields(act, words)
  const opened = openParts(parts)
  const run = async () => {
    const files: Record<string, Buffer> = {}
    for (const [field, path] of Object.entries(filePaths)) files[field] = await readFile(path)
    return act.run(opened, { fields, files })
  }
  try {
    const outcome = await runLogged(
      parts,
      { operator: { id: undefined, name: commandLine }, act: act.name, fields },
      run,
    )
    return printOutcome(act, parts.print, outcome)
  } finally {
    await opened.close()
  }
}

/** What the words say, by field. */
function readFields(act: Act, { places: words, texts, flags }: GivenWords) {
  const { places, options } = sortFields(act)
  const fields: Record<string, string> = {}
  const filePaths: Record<string, string> = {}
  places.forEach(([name, { place = '' }], index) => {
    const rest = words.slice(index, place.includes('…') ? undefined : index + 1)
    if (rest.length > 0) fields[name] = rest.join(' ')
  })
  for (const each of options) {
    const option = optionOf(each)
    const value = flags.has(option) ? 'on' : texts[option]
    if (value === undefined) continue
    const into = each[1].kind === 'file' ? filePaths : fields
    into[each[0]] = value
  }
  return { fields, filePaths }
}

/** 0 done, 1 refused or done in part, 2 wrong words. */
function printOutcome(act: Act, print: OperatorParts['print'], outcome: ActOutcome): number {
  if ('refused' in outcome) {
    const problems = Object.entries(outcome.problems ?? {})
    if (problems.length === 0) print(outcome.refused)
    for (const [name, problem] of problems) {
      const { place, ...field } = act.fields[name] ?? { label: name }
      print(`${place ?? `--${optionOf([name, field])}`}: ${problem}`)
    }
    return problems.length === 0 ? 1 : 2
  }
  const { done, shownOnce, isPartial = false } = outcome
  // A file is printed as it is, so that it can be redirected into one.
  if (shownOnce?.file === undefined) print(done)
  if (shownOnce !== undefined) print(shownOnce.text.trimEnd())
  return isPartial ? 1 : 0
}

/** The parts of acts; queue and engine are opened when one uses them. */
function openParts(parts: OperatorParts): ActParts & { close(): Promise<void> } {
  const { config, database, databaseUrl, clock, print } = parts
  let jobs: Promise<JobQueue> | undefined
  const openJobs = () =>
    startJobQueue({
      databaseUrl,
      queues: [receiptQueue, starQueue],
      works: false,
      subscribe: () => () => {},
      log: { info() {}, warn() {}, error: (_details, message) => print(message) },
    })
  let engine: ReturnType<typeof createEngine> | undefined
  const openEngine = () => (engine ??= createEngine())
  return {
    config,
    database,
    clock,
    randomBytes,
    operatorName: commandLine,
    jobs: { enqueue: async (...job) => (await (jobs ??= openJobs())).enqueue(...job) },
    engine: {
      admit: (upload) => openEngine().admit(upload),
      makeLogo: (logo) => openEngine().makeLogo(logo),
    },
    store: () => openStoreOf(parts),
    keys: () => readKeysOf(parts),
    async listStars() {
      const files = await loadPresets(openEngine(), config.dataFolder)
      return (await readStars(database, files, clock())).placed
    },
    async close() {
      await (await jobs)?.stop()
      await engine?.close()
    },
  }
}
