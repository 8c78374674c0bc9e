import { fstatSync, ftruncateSync } from 'node:fs'
import { type FileHandle, copyFile, open } from 'node:fs/promises'

export type BoundedLog = Awaited<ReturnType<typeof openBoundedLog>>

/**
 * PostgreSQL's own log: a file that is copied to `<file>.1` and emptied when it grows too big, for which it is
 * looked at once a minute.
 *
 * @param maxBytes from this size on it is emptied
 */
export async function openBoundedLog(file: string, maxBytes = 5_000_000) {
  const handle = await open(file, 'a+', 0o600)
  await bound(handle, file, maxBytes)
  const openedAtByte = fstatSync(handle.fd).size
  // A failure to rotate the log must not end the program.
  const timer = setInterval(() => void bound(handle, file, maxBytes).catch(() => {}), 60_000)
  timer.unref()
  return {
    /** To hand to the process, opened for appending. */
    descriptor: handle.fd,
    /** The end of what was written since the log was opened, at most 4,000 characters. */
    readTail: async () => {
      const { size } = await handle.stat()
      const from = Math.max(Math.min(openedAtByte, size), size - 4000)
      const buffer = Buffer.alloc(size - from)
      await handle.read(buffer, 0, buffer.length, from)
      return buffer.toString('utf8').trim()
    },
    close: async () => {
      clearInterval(timer)
      await handle.close()
    },
  }
}

async function bound(handle: FileHandle, file: string, maxBytes: number): Promise<void> {
  if ((await handle.stat()).size < maxBytes) return
  await copyFile(file, `${file}.1`)
  // Writers that append go on at the new end.
  ftruncateSync(handle.fd)
}
