import { statfs } from 'node:fs/promises'

/** Less room than this is none: one upload and what the database writes meanwhile. */
export const freeBytesMin = 32 * 1024 * 1024
/** How long a failed write is believed; PostgreSQL may lie on a disk that isn't ours to look at. */
const believedMs = 15_000

export type DiskWatch = ReturnType<typeof createDiskWatch>

/** Tells whether the data folder's disk has room; `readFree` gives its free bytes. */
export function createDiskWatch(
  folder: string,
  options: { readFree?: (folder: string) => Promise<number>; nowMs?: () => number } = {},
) {
  const { readFree = readFreeBytes, nowMs = () => performance.now() } = options
  let fullAtMs = -Infinity
  return {
    /** Notes that a write failed for want of room, here or in the database. */
    noteFull() {
      fullAtMs = nowMs()
    },
    async isFull() {
      if (nowMs() - fullAtMs < believedMs) return true
      // A folder that can't be read is reported by the calls that need it.
      return (await readFree(folder).catch(() => Infinity)) < freeBytesMin
    },
  }
}

/** How many bytes are free on a folder's disk. */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
