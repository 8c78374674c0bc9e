import { randomBytes } from 'node:crypto'
import { mkdir, readFile, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { assertObjectKey } from './object-store.ts'
import type { ObjectStore } from './object-store.ts'
import { codeOf, undefinedWhenMissing } from '../errors/code-of.ts'
import { writeWhole } from './write-flushed.ts'

/** Objects as files, written aside, flushed and renamed: a crash leaves a whole object or none. */
export function openFolderStore(folder: string): ObjectStore {
  const pathOf = (key: string) => {
    assertObjectKey(key)
    return join(folder, ...key.split('/'))
  }
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      for (let triesLeft = 5; ; triesLeft -= 1) {
        try {
          return await writeObject(path, bytes)
        } catch (error) {
          // Another's delete may take the folder away between its making and its first file.
          if (triesLeft === 0 || codeOf(error) !== 'ENOENT') throw error
        }
      }
    },
    async get(key) {
      return readFile(pathOf(key)).catch(undefinedWhenMissing)
    },
    async delete(key) {
      const path = pathOf(key)
      await rm(path, { force: true })
      // The last object takes its folder with it; a folder that holds more refuses.
      await rmdir(dirname(path)).catch(() => undefined)
    },
    async *list(prefix, { after = '' } = {}) {
      for await (const key of keysBelow(folder, prefix, after)) {
        const stats = await stat(join(folder, key)).catch(undefinedWhenMissing)
        if (stats !== undefined) yield { key, modifiedAt: stats.mtime }
      }
    },
  }
}

/** The keys of the files below a folder, in their order; folders that `after` leaves behind are not opened. */
async function* keysBelow(root: string, place: string, after: string): AsyncIterable<string> {
  const entries = await readdir(join(root, place), { withFileTypes: true }).catch(
    undefinedWhenMissing,
  )
  const keys = (entries ?? []).map((entry) => `${place}/${entry.name}${entry.isFile() ? '' : '/'}`)
  for (const key of keys.toSorted((one, other) => (one < other ? -1 : 1))) {
    if (!key.endsWith('/')) {
      if (key > after) yield key
    } else if (key > after || after.startsWith(key)) {
      yield* keysBelow(root, key.slice(0, -1), after)
    }
  }
}

/** The temporary name is a key too, so that a sweep finds what a crash left of it. */
async function writeObject(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const stem = path.slice(0, path.length - extname(path).length)
  await writeWhole(path, bytes, `${stem}-${randomBytes(6).toString('hex')}.part`)
}
