import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { assertObjectKey } from './object-store.ts'
import type { ObjectStore } from './object-store.ts'

/**
 * Objects as files of a local folder. A write goes to a temporary name, is flushed and then
 * renamed, so that a crash leaves either the whole object or none.
 */
export function openFolderStore(folder: string): ObjectStore {
  const pathOf = (key: string) => {
    assertObjectKey(key)
    return join(folder, ...key.split('/'))
  }
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const temporary = `${path}.${randomBytes(6).toString('hex')}.part`
      try {
        await writeFlushed(temporary, bytes)
        await rename(temporary, path)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },
    async get(key) {
      return readFile(pathOf(key)).catch(undefinedWhenMissing)
    },
    async delete(key) {
      await rm(pathOf(key), { force: true })
    },
    async *list(prefix) {
      const entries = await readdir(join(folder, prefix), {
        recursive: true,
        withFileTypes: true,
      }).catch(undefinedWhenMissing)
      for (const entry of entries ?? []) {
        if (!entry.isFile()) continue
        const path = join(entry.parentPath, entry.name)
        const stats = await stat(path).catch(undefinedWhenMissing)
        if (stats === undefined) continue
        yield { key: relative(folder, path).split(sep).join('/'), modifiedAt: stats.mtime }
      }
    },
  }
}

async function writeFlushed(path: string, bytes: Uint8Array) {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

function undefinedWhenMissing(error: unknown): undefined {
  if ((error as { code?: unknown }).code === 'ENOENT') return undefined
  throw error
}
