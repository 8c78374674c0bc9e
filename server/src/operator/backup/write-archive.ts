import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
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

/**
 * Opens an empty file for appending, in the place of what is there.
 * @param sealing undefined: contents stay in the open
 */
export async function openArchiveWriter(
  path: string,
  sealing: Sealing | undefined,
): Promise<ArchiveWriter> {
  return new ArchiveWriter(await open(path, 'w', 0o600), sealing)
}

/** Appends entries to a tar file. One call at a time. */
export class ArchiveWriter {
  readonly #file: FileHandle
  readonly #sealing: Sealing | undefined
  readonly #hash = createHash('sha256')
  #entryCount = 0
  byteCount = 0
  #syncedTo = 0

  constructor(file: FileHandle, sealing: Sealing | undefined) {
    this.#file = file
    this.#sealing = sealing
  }

  /** Appends an entry, encrypted unless the backup isn't. */
  async add(name: string, content: Buffer): Promise<void> {
    if (content.length > entryBytesMax) throw new BackupError(`${name} is too large for a backup.`)
    const isOpen = this.#sealing === undefined || name === entryNames.opening
    const stored = isOpen ? content : this.#sealing.seal(name, content)
    await this.#append([
      encodeTarHeader({ name, byteCount: stored.length }),
      stored,
      Buffer.alloc(paddingAfter(stored.length)),
    ])
    this.#entryCount += 1
    if (this.byteCount - this.#syncedTo < syncEveryBytes) return
    await this.#file.datasync()
    this.#syncedTo = this.byteCount
  }

  /** Writes the closing entry and the end of the tar, and waits for the disk. */
  async finish(): Promise<void> {
    const closing = { entries: this.#entryCount, sha256: this.#hash.copy().digest('hex') }
    await this.add(entryNames.closing, Buffer.from(JSON.stringify(closing)))
    // Two empty blocks end a tar.
    await this.#append([Buffer.alloc(2 * tarBlockBytes)])
    await this.#file.sync()
    await this.#file.close()
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  async #append(parts: readonly Buffer[]): Promise<void> {
    const bytes = Buffer.concat(parts)
    const { bytesWritten } = await this.#file.write(bytes, 0, bytes.length, this.byteCount)
    if (bytesWritten !== bytes.length) throw new BackupError('The disk of the backup is full.')
    this.#hash.update(bytes)
    this.byteCount += bytes.length
  }
}
