import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { Database } from '../../platform/db/database.ts'
import { deriveKeys } from '../../platform/secrets/keys.ts'
import type { Keys } from '../../platform/secrets/keys.ts'
import { codeOf } from '../../platform/errors/code-of.ts'
import { readSecrets } from '../../platform/secrets/read-secrets.ts'
import type { ObjectStore } from '../../platform/storage/object-store.ts'
import { openStore } from '../../platform/storage/open-store.ts'
import { BackupError } from '../backup/archive-format.ts'
import { DatabaseError } from '../../platform/db/explain-database-error.ts'
import { EmbeddedPostgresError } from '../../platform/db/embedded-postgres.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'

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

/** One operator's command; its usage and its help stand in `commands.json`, or follow from its act. */
export type OperatorCommand = { usage?: string; help?: string } & (
  | {
      needsDatabase?: true
      /**
       * Resolves to the exit status: 0 done, 1 refused or not in order, 2 wrong words. Words that
       * `parseArgs` refuses may be thrown.
       */
      run(parts: OperatorParts, words: string[]): Promise<number>
    }
  | { needsDatabase: false; run(parts: PartsWithoutDatabase, words: string[]): Promise<number> }
)

/** Commands by their one or two words, such as `audit` and `orders list`. */
export type OperatorCommands = Record<string, OperatorCommand>

export function openStoreOf({ config, print }: PartsWithoutDatabase): Promise<ObjectStore> {
  return openStore(config, { warn: (_details, message) => print(message) })
}

export async function readKeysOf({ config, print }: PartsWithoutDatabase): Promise<Keys> {
  const { dataFolder } = config
  const warn = (_details: object, message: string) => print(message)
  return deriveKeys(await readSecrets(config.secrets, { dataFolder, randomBytes, warn }))
}

/**
 * The first word after a command that its usage has no place for, such as `support` in
 * `operator add sam support`, which would make an owner of somebody who was meant to be less.
 *
 * @param usage as commands declare it: `NAME [--role ROLE] [--all]`; … takes any number of words
 */
export function findSurplusWord(usage: string, words: readonly string[]): string | undefined {
  if (usage.includes('…')) return undefined
  const places = usage.replaceAll(/[[\]]/g, '').split(/\s+/)
  const takesValue = (option: string) => {
    const at = places.indexOf(option)
    return at >= 0 && places[at + 1]?.startsWith('--') === false
  }
  const positionals = (text: readonly string[]) => positionalsOf(text, takesValue)
  return positionals(words)[positionals(places.filter((place) => place !== '')).length]
}

function positionalsOf(
  words: readonly string[],
  takesValue: (option: string) => boolean,
): readonly string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length
  const open = words.slice(0, end)
  const found = open.filter((word, index) => {
    if (word.startsWith('-')) return false
    const before = open[index - 1] ?? ''
    return !(before.startsWith('--') && takesValue(before))
  })
  return [...found, ...words.slice(end + 1)]
}

const fileFailures: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder',
  ENOTDIR: 'a part of this path is a file and not a folder',
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
}

/**
 * The sentence for a failure that an operator can put right: a setting, the database, a file, a
 * port. Undefined for everything else, which is a bug and is reported with its stack.
 */
export function explainFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (
    error instanceof SettingsError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof DatabaseError ||
    error instanceof BackupError
  ) {
    return error.message
  }
  const { code, path, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE' && port !== undefined) {
    return (
      `The port ${port} is taken by another program. ` +
      'Set PORT to a free one, as in: PORT=3010 npm start'
    )
  }
  const reason = code === undefined ? undefined : fileFailures[code]
  return reason === undefined || path === undefined ? undefined : `${path}: ${reason}.`
}

export function isRefusalOfArguments(error: unknown): error is Error {
  return codeOf(error).startsWith('ERR_PARSE_ARGS')
}
