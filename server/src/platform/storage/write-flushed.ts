import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a new file that only its owner reads, and resolves when it is on the disk. */
export async function writeFlushed(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Replaces a file whole or not at all; `draft`, in the same folder, holds it until complete. */
export async function writeWhole(
  path: string,
  content: string | Uint8Array,
  draft = `${path}.${crypto.randomUUID()}`,
): Promise<void> {
  try {
    await writeFlushed(draft, content)
    await renameFlushed(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Renames within a folder; the new name outlives a power cut where the system can flush folders. */
export async function renameFlushed(path: string, newPath: string): Promise<void> {
  await rename(path, newPath)
  const folder = await open(dirname(newPath), 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}
