import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { parseJson } from '../../platform/http/read-object.ts'
import {
  archiveFormat,
  closingSchema,
  entryBytesMax,
  entryNames,
  openingSchema,
  readEntryName,
  schemaSchema,
  BackupError,
  decodeTarHeader,
  paddingAfter,
  tarBlockBytes,
  createSealing,
  encodeTarHeader,
} from './archive-format.ts'
import type { BackupSchema, EntryKind, Sealing } from './archive-format.ts'

export interface ArchiveEntry {
  name: string
  about: EntryKind
  /** Decrypted. */
  content: Buffer
}

/** A backup that was opened: its first entry is read, and its passphrase is known to be one. */
export type OpenArchive = Awaited<ReturnType<typeof openArchive>>

/** @throws BackupError when the file is no backup of ours, or needs another passphrase */
export async function openArchive(path: string, passphrase: string | undefined) {
  const file = await open(path, 'r')
  try {
    const first = await readStored(file, 0)
    if (first?.name !== entryNames.opening) throw new BackupError(`${path} is no backup.`)
    const opening = parse(openingSchema, first.stored, path)
    if (opening.format !== archiveFormat) {
      throw new BackupError(
        `${path} has format ${opening.format}, and this version reads ${archiveFormat}.`,
      )
    }
    if (opening.sealing !== null && passphrase === undefined) {
      throw new BackupError(`${path} is encrypted: name its passphrase by --passphrase-file.`)
    }
    // Only its passphrase tells a backup from one that somebody else has put in its place.
    if (opening.sealing === null && passphrase !== undefined) {
      throw new BackupError(`${path} is not encrypted, though a passphrase is named.`)
    }
    const sealing =
      opening.sealing === null ? undefined : await createSealing(passphrase ?? '', opening.sealing)
    return {
      opening,
      sealing,
      /** Entries in order, up to one cut off or damaged; `hash` is fed with all that was read. */
      entries: (hash?: Hash) => readEntries(file, sealing, hash),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function* readEntries(
  file: FileHandle,
  sealing: Sealing | undefined,
  hash: Hash | undefined,
): AsyncIterable<ArchiveEntry> {
  for (let startByte = 0; ;) {
    const read = await readStored(file, startByte)
    if (read === undefined) return
    const { name, stored, whole } = read
    const about = readEntryName(name)
    const isOpen = sealing === undefined || name === entryNames.opening
    const content = isOpen ? stored : sealing.open(name, stored)
    if (about === undefined || content === undefined) return
    yield { name, about, content }
    hash?.update(whole)
    startByte += whole.length
  }
}

/** An entry with its header and padding; undefined where there is no whole one. */
async function readStored(file: FileHandle, startByte: number) {
  const header = await readExactly(file, startByte, tarBlockBytes)
  const found = header && decodeTarHeader(header)
  if (header === undefined || found === undefined || found.byteCount > entryBytesMax + 1024)
    return undefined
  const { name, byteCount } = found
  const rest = await readExactly(
    file,
    startByte + tarBlockBytes,
    byteCount + paddingAfter(byteCount),
  )
  if (rest === undefined) return undefined
  return { name, stored: rest.subarray(0, byteCount), whole: Buffer.concat([header, rest]) }
}

async function readExactly(file: FileHandle, position: number, byteCount: number) {
  const bytes = Buffer.alloc(byteCount)
  const { bytesRead } = await file.read(bytes, 0, byteCount, position)
  return bytesRead === byteCount ? bytes : undefined
}

export interface VerifiedArchive {
  schema: BackupSchema
  /** SHA-256 of everything before the closing entry: identifies the backup. */
  sha256: string
}

/** Proves that every entry opens and the last has count and digest of all. Throws BackupError. */
export async function verifyArchive(archive: OpenArchive, path: string): Promise<VerifiedArchive> {
  const hash = createHash('sha256')
  let schema: BackupSchema | undefined
  let entries = 0
  for await (const { about, content } of archive.entries(hash)) {
    if (about.kind === 'schema') schema = parse(schemaSchema, content, path)
    if (about.kind === 'closing') {
      const { entries: expected, sha256 } = parse(closingSchema, content, path)
      const isWhole = expected === entries && sha256 === hash.digest('hex')
      if (isWhole && schema !== undefined) return { schema, sha256 }
      break
    }
    entries += 1
  }
  const opens = archive.sealing === undefined ? '' : ', or its passphrase is another one'
  throw new BackupError(`${path} is damaged or not complete${opens}. Nothing was changed.`)
}

/** @throws BackupError when the text isn't what the schema says */
export function parse<Output>(
  schema: { safeParse(value: unknown): { success: true; data: Output } | { success: false } },
  bytes: Buffer,
  path: string,
): Output {
  const result = schema.safeParse(parseJson(bytes.toString('utf8')))
  if (result.success) return result.data
  throw new BackupError(`${path} is damaged: one of its descriptions can't be read.`)
}

/** How much is written between two moments at which the disk has everything. */
const syncEveryBytes = 32 * 1024 * 1024

/** Appends entries to a tar file. One call at a time. */
export type ArchiveWriter = Awaited<ReturnType<typeof openArchiveWriter>>

/** Opens an empty file in the place of what is there; without `sealing` contents stay open. */
export async function openArchiveWriter(path: string, sealing: Sealing | undefined) {
  const file = await open(path, 'w', 0o600)
  const hash = createHash('sha256')
  let entryCount = 0
  let byteCount = 0
  let syncedTo = 0

  async function append(parts: readonly Buffer[]): Promise<void> {
    const bytes = Buffer.concat(parts)
    const { bytesWritten } = await file.write(bytes, 0, bytes.length, byteCount)
    if (bytesWritten !== bytes.length) throw new BackupError('The disk of the backup is full.')
    hash.update(bytes)
    byteCount += bytes.length
  }

  /** Appends an entry, encrypted unless the backup isn't. */
  async function add(name: string, content: Buffer): Promise<void> {
    if (content.length > entryBytesMax) throw new BackupError(`${name} is too large for a backup.`)
    const isOpen = sealing === undefined || name === entryNames.opening
    const stored = isOpen ? content : sealing.seal(name, content)
    const header = encodeTarHeader({ name, byteCount: stored.length })
    await append([header, stored, Buffer.alloc(paddingAfter(stored.length))])
    entryCount += 1
    if (byteCount - syncedTo < syncEveryBytes) return
    await file.datasync()
    syncedTo = byteCount
  }

  return {
    add,
    /** Writes the closing entry and the end of the tar, and waits for the disk; answers its size. */
    async finish(): Promise<number> {
      const closing = { entries: entryCount, sha256: hash.copy().digest('hex') }
      await add(entryNames.closing, Buffer.from(JSON.stringify(closing)))
      // Two empty blocks end a tar.
      await append([Buffer.alloc(2 * tarBlockBytes)])
      await file.sync()
      return byteCount
    },
    close: () => file.close(),
  }
}
