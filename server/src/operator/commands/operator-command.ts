import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { Config } from '../../config.ts'
import type { Database } from '../../platform/db/database.ts'
import { deriveKeys } from '../../platform/secrets/keys.ts'
import type { Keys } from '../../platform/secrets/keys.ts'
import { readSecrets } from '../../platform/secrets/read-secrets.ts'
import type { ObjectStore } from '../../platform/storage/object-store.ts'
import { openStore } from '../../platform/storage/open-store.ts'
import { BackupError } from '../backup/archive-format.ts'
import { DatabaseError } from '../../platform/db/explain-database-error.ts'
import { EmbeddedPostgresError } from '../../platform/db/embedded-postgres.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'
import fileFailures from './file-failures.json' with { type: 'json' }
import commandTexts from './commands.json' with { type: 'json' }

export interface OperatorParts {
  config: Config
  /** The database of the running program, or one that was started for the command. */
  database: Database
  databaseUrl: string
  clock: () => Date
  print(line: string): void
}

/** What a command has that works without the database, before the first start too. */
export type PartsWithoutDatabase = Pick<OperatorParts, 'config' | 'clock' | 'print'>

/** The words behind a command: those of its places, and its options with and without a text. */
export interface GivenWords {
  places: string[]
  texts: Record<string, string>
  flags: ReadonlySet<string>
}

/** Resolves to the exit status: 0 done, 1 refused or not in order, 2 wrong words. */
type Run<Parts> = (parts: Parts, words: GivenWords) => Promise<number>
type Runnable =
  | { needsDatabase?: true; run: Run<OperatorParts> }
  | { needsDatabase: false; run: Run<PartsWithoutDatabase> }

/** One operator's command. */
export type OperatorCommand = { usage: string; help: string } & Runnable

/** Commands by their one or two words, such as `audit` and `orders list`. */
export type OperatorCommands = Record<string, OperatorCommand>

const textsOf = new Map(Object.entries(commandTexts))

/** Commands with their usage and help of `commands.json`. */
export function commandsOf(declared: Record<string, Runnable>): OperatorCommands {
  return Object.fromEntries(
    Object.entries(declared).map(([name, command]) => [
      name,
      { usage: '', help: '', ...textsOf.get(name), ...command },
    ]),
  )
}

/** Prints why a command ends, and gives the status that it ends with. */
export function endWith(print: OperatorParts['print'], status: number, sentence: string): number {
  print(sentence)
  return status
}

export function openStoreOf({ config, print }: PartsWithoutDatabase): Promise<ObjectStore> {
  return openStore(config, { warn: (_details, message) => print(message) })
}

export async function readKeysOf({ config, print }: PartsWithoutDatabase): Promise<Keys> {
  const { dataFolder } = config
  const warn = (_details: object, message: string) => print(message)
  return deriveKeys(await readSecrets(config.secrets, { dataFolder, randomBytes, warn }))
}

/** An option with what stands behind it, if anything does: `--role ROLE`. */
const optionPattern = /--([\w-]+)(?: (\w[\w|]*))?/g

/** What a usage such as `NAME [--role ROLE] [--all]` has places for; … takes any number of words. */
function readUsage(usage: string) {
  const options = [...usage.matchAll(optionPattern)].map(([, name = '', value]) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const)
    return [name, { type }] as const
  })
  const places = usage.replaceAll(optionPattern, '').match(/\w+/g) ?? []
  return {
    options: Object.fromEntries(options),
    placeCount: usage.includes('…') ? Infinity : places.length,
  }
}

/** What the words behind a command say by its usage. Words that it has no place for are thrown back. */
export function readWords({ usage }: Pick<OperatorCommand, 'usage'>, args: string[]): GivenWords {
  const { options } = readUsage(usage)
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const given = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  const flags = Object.keys(values).filter((name) => values[name] === true)
  return { places: positionals, texts: Object.fromEntries(given), flags: new Set(flags) }
}

/** The first word that `usage` has no place for: `operator add sam support` would add an owner. */
export function findSurplusWord(usage: string, words: readonly string[]): string | undefined {
  const { options, placeCount } = readUsage(usage)
  const args = [...words]
  return parseArgs({ args, options, allowPositionals: true, strict: false }).positionals[placeCount]
}

const failures: Readonly<Record<string, string>> = fileFailures
/** Their messages are sentences for the operator. */
const explainedErrors = [SettingsError, EmbeddedPostgresError, DatabaseError, BackupError]

/** The sentence for what operators can mend (setting, database, file, port); undefined: a bug. */
export function explainFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (explainedErrors.some((kind) => error instanceof kind)) return error.message
  const { code, path, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE' && port !== undefined) {
    return (
      `The port ${port} is taken by another program. ` +
      'Set PORT to a free one, as in: PORT=3010 npm start'
    )
  }
  const reason = code === undefined ? undefined : failures[code]
  return reason === undefined || path === undefined ? undefined : `${path}: ${reason}.`
}
