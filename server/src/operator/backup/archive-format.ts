import pg from 'pg'
import { z } from 'zod'
import { sealingSchema } from './sealing.ts'

/** The version of the format; another one is refused. */
export const archiveFormat = 1

/** No entry's content is larger: a piece of a table, a picture, a file. */
export const entryBytesMax = 136 * 1024 * 1024

/**
 * The names of entries. The order in the file: opening, files, tables, schema, objects, closing.
 */
export const entryNames = {
  /** In the open; says how the others are encrypted. */
  opening: 'starside-backup.json',
  /** A piece of a table: text of COPY, compressed by gzip. */
  table: (table: string, piece: number) =>
    `database/${table}/${String(piece).padStart(8, '0')}.copy.gz`,
  schema: 'database/schema.json',
  /** A file of the data folder, by its path there. */
  file: (path: string) => `files/${path}`,
  /** A picture by its key in the object store. */
  object: (key: string) => `objects/${key}`,
  closing: 'closing.json',
} as const

/** What an entry is, by its name. */
export type EntryKind =
  | { kind: 'opening' | 'schema' | 'closing' }
  | { kind: 'table' | 'file' | 'object'; of: string }

/** The folder inside the data folder in which backups may lie; it is never part of one. */
export const backupsFolder = 'backups'

/** What the data folder holds that a backup takes in other ways, or not at all. */
export const foldersLeftOut: ReadonlySet<string> = new Set([
  'postgres',
  'objects',
  backupsFolder,
  'lost+found',
])

/**
 * Undefined for a name that is none of ours, also in a file that somebody else has made: no path leads
 * out of its folder, and no file into the database's, whose settings can name programs to run.
 */
export function readEntryName(name: string): EntryKind | undefined {
  if (name === entryNames.opening) return { kind: 'opening' }
  if (name === entryNames.schema) return { kind: 'schema' }
  if (name === entryNames.closing) return { kind: 'closing' }
  const table = /^database\/([a-z_][a-z0-9_]*)\/\d{8}\.copy\.gz$/.exec(name)?.[1]
  if (table !== undefined) return { kind: 'table', of: table }
  const file = /^files\/((?:[\w-][\w.-]*\/)*[\w-][\w.-]*)$/.exec(name)?.[1]
  if (file !== undefined) {
    const [folder = ''] = file.split('/')
    return foldersLeftOut.has(folder) ? undefined : { kind: 'file', of: file }
  }
  const object = /^objects\/([a-z]+(?:\/[\w-][\w.-]*)+)$/.exec(name)?.[1]
  return object === undefined ? undefined : { kind: 'object', of: object }
}

export const openingSchema = z.object({
  format: z.int(),
  /** ISO 8601. */
  startedAt: z.iso.datetime(),
  version: z.string(),
  sealing: sealingSchema.nullable(),
})

export const schemaSchema = z.object({
  /** When the first migration of this installation ran: identifies the installation. */
  installedAt: z.string(),
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()).min(1), rows: z.int().min(0) }),
  ),
  /** The last value of each sequence that was used, as text, since it may pass 2^53. */
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string().regex(/^-?\d+$/) })),
})

/** What the database held, and under which migrations. */
export type BackupSchema = z.output<typeof schemaSchema>

export const closingSchema = z.object({
  entries: z.int(),
  /** SHA-256 of everything in the file before this entry. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

export type Opening = z.output<typeof openingSchema>

/** A backup or restore that can't go on, with a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** Node's words for pieces that don't unpack, and for names of files that contradict each other. */
const damageCodes = /^(?:Z_\w+|ERR_BUFFER_TOO_LARGE|EISDIR|ENOTDIR|EEXIST|ENOTEMPTY|ENAMETOOLONG)$/
/** PostgreSQL's classes for what isn't supported, and values, keys and names that don't fit. */
const misfitStates = /^(?:0A|22|23|42)/

/**
 * The sentence for what only a backup's own content brings about, such as rows of other columns in
 * a file that somebody else has made; every other failure as it is.
 */
export function explainDamage(error: unknown, source: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const code = String(error.code)
  const isDamage =
    error instanceof pg.DatabaseError ? misfitStates.test(code) : damageCodes.test(code)
  if (!isDamage) return error
  return new BackupError(
    `${source} can't be restored, as what it holds doesn't fit together: ${error.message}. ` +
      'The database was left empty: restore another backup.',
    { cause: error },
  )
}
