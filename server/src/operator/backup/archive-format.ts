import pg from 'pg'
import { z } from 'zod'
import { Header } from 'tar'
import { randomBytes, scrypt } from 'node:crypto'
import type { BinaryLike, ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { seal, unseal } from '../../platform/secrets/seal.ts'

/** How a passphrase becomes the key of a backup; stands in the open at its beginning. */
const sealingSchema = z.object({
  cipher: z.literal('aes-256-gcm'),
  keyDerivation: z.literal('scrypt'),
  /** Bounded, so that a hostile file can't ask for all memory. */
  cost: z
    .int()
    .min(2)
    .max(2 ** 20)
    .refine((cost) => Number.isInteger(Math.log2(cost)), 'scrypt takes a power of two'),
  salt: z.string().regex(/^[0-9a-f]{32}$/),
})

type SealingTerms = z.output<typeof sealingSchema>

export type Sealing = Awaited<ReturnType<typeof createSealing>>

const blockSize = 8
const scryptAsync = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)

/** Fresh terms: 128 MiB and about half a second for each guess at the passphrase. */
export function newSealingTerms(): SealingTerms {
  const salt = randomBytes(16).toString('hex')
  return { cipher: 'aes-256-gcm', keyDerivation: 'scrypt', cost: 2 ** 17, salt }
}

/**
 * AES-256-GCM (NIST SP 800-38D) under a key that scrypt (RFC 7914) makes of the passphrase. Nonces
 * are random, which is safe for 2^32 entries under one key; every backup has a key of its own.
 */
export async function createSealing(passphrase: string, terms: SealingTerms) {
  const { cost, salt } = terms
  const options = { N: cost, r: blockSize, p: 1, maxmem: 256 * cost * blockSize }
  const password = passphrase.normalize('NFC')
  const key = await scryptAsync(password, Buffer.from(salt, 'hex'), 32, options)
  return {
    /** A nonce of 12 bytes, the encrypted content, and a tag of 16 that also covers the name. */
    seal: (name: string, content: Buffer) => seal(content, { key, subject: name, randomBytes }),
    /** Undefined when the key is another one, or content or name were changed. */
    open: (name: string, sealed: Buffer) => unseal(sealed, { key, subject: name }),
  }
}

/** The version of the format; another one is refused. */
export const archiveFormat = 1

/** No entry's content is larger: a piece of a table, a picture, a file. */
export const entryBytesMax = 136 * 1024 * 1024

/** The names of entries, in the file's order: opening, files, tables, schema, objects, closing. */
export const entryNames = {
  /** In the open; says how the others are encrypted. */
  opening: 'starside-backup.json',
  /** A piece of a table: text of COPY, compressed by gzip. */
  table: (table: string, piece: number) =>
    `database/${table}/${String(piece).padStart(8, '0')}.copy.gz`,
  schema: 'database/schema.json',
  file: (path: string) => `files/${path}`,
  object: (key: string) => `objects/${key}`,
  closing: 'closing.json',
} as const

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

/** The sentence where a backup's content is at fault, as by rows of other columns; else `error`. */
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

type TarHeader = { name: string; byteCount: number }

/** Entries begin and end at multiples of this. */
export const tarBlockBytes = 512

/**
 * The 512 bytes before an entry's content: a plain file, readable by its owner, dated 1970.
 * A name that doesn't fit (longer than 255 bytes, or without a `/` where it must be split) is a bug.
 */
export function encodeTarHeader({ name, byteCount }: TarHeader): Buffer {
  const about = { mode: 0o600, uid: 0, gid: 0, mtime: new Date(0), type: 'File' } as const
  const header = new Header({ ...about, path: name, size: byteCount })
  const bytes = Buffer.alloc(tarBlockBytes)
  // True where the name would need a header of its own.
  if (header.encode(bytes)) throw new Error(`the name ${name} doesn't fit into a tar header`)
  return bytes
}

/** The header of these 512 bytes; undefined when they are none of ours, such as the zeros at the end. */
export function decodeTarHeader(bytes: Buffer): TarHeader | undefined {
  try {
    const { cksumValid, type, path, size = -1 } = new Header(bytes)
    if (!cksumValid || type !== 'File' || path === undefined || size < 0) return undefined
    return { name: path, byteCount: size }
  } catch {
    // A size that is no number.
    return undefined
  }
}

export function paddingAfter(byteCount: number): number {
  return (tarBlockBytes - (byteCount % tarBlockBytes)) % tarBlockBytes
}
