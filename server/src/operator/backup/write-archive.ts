import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import {
  entryBytesMax,
  entryNames,
  BackupError,
  encodeTarHeader,
  paddingAfter,
  tarBlockBytes,
} from './archive-format.ts'
import type { Sealing } from './archive-format.ts'

/** How much is written between two moments at which the disk has everything. */
const syncEveryBytes = 32 * 1024 * 1024

/** Appends entries to a tar file. One call at a time. */
export type ArchiveWriter = Awaited<ReturnType<typeof openArchiveWriter>>

/**
 * Opens an empty file for appending, in the place of what is there.
 * @param sealing undefined: contents stay in the open
 */
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
      await file.close()
      return byteCount
    },
    close: () => file.close(),
  }
}
