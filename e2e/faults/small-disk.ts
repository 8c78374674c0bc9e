import { execFile } from 'node:child_process'
import { mkdir, statfs } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A file system of its own that can be full at once, and empty again. */
export interface SmallDisk {
  folder: string
  /** From now on there is no room but in pages that are there already. */
  fill(): Promise<void>
  makeRoom(): Promise<void>
  close(): Promise<void>
}

const roomyMb = 4_096
const fillAttemptsMax = 50

/**
 * A disk in memory (tmpfs) at `folder`, which only root on Linux can mount; undefined for others.
 * It gets full by being given the size of what lies on it.
 */
export async function mountSmallDisk(folder: string): Promise<SmallDisk | undefined> {
  await mkdir(folder, { recursive: true })
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${roomyMb}m,mode=0755`, 'tmpfs', folder])
  } catch {
    return undefined
  }
  const resize = (size: string) => run('mount', ['-o', `remount,size=${size}`, folder])
  return {
    folder,
    async fill() {
      for (let attempt = 1; ; attempt += 1) {
        const { blocks, bfree, bsize } = await statfs(folder)
        try {
          await resize(String((blocks - bfree) * bsize))
          return
        } catch (error) {
          // What was written since it was measured has no room in it.
          if (attempt === fillAttemptsMax) throw error
        }
      }
    },
    async makeRoom() {
      await resize(`${roomyMb}m`)
    },
    async close() {
      // Lazily, where a process that is just ending still has a file open.
      await run('umount', [folder]).catch(() => run('umount', ['-l', folder]))
    },
  }
}
