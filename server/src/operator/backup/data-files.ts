import { mkdir, readFile, readdir, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { dirname, join, relative, resolve, sep } from 'node:path'
import {
  BackupError,
  backupsFolder,
  entryBytesMax,
  entryNames,
  foldersLeftOut,
  readEntryName,
} from './archive-format.ts'
import { codeOf } from '../../platform/errors/code-of.ts'
import { writeWhole } from '../../platform/storage/write-flushed.ts'
import type { ObjectStore } from '../../platform/storage/object-store.ts'

/** Paths of the data folder's own files: keys, presets, what the operator has put there. */
export async function listDataFiles(dataFolder: string): Promise<string[]> {
  const found: string[] = []
  const collect = async (folder: string): Promise<void> => {
    const entries = await readdir(join(dataFolder, folder), { withFileTypes: true }).catch(
      (error: unknown) => {
        if (folder === '' && codeOf(error) === 'ENOENT') return []
        throw error
      },
    )
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (foldersLeftOut.has(path)) continue
      if (entry.isDirectory()) await collect(path)
      else if (entry.isFile()) found.push(path)
    }
  }
  await collect('')
  return found
}

/** @throws BackupError for a file that is too large, or whose name isn't made of usual letters */
export async function readDataFile(dataFolder: string, path: string): Promise<Buffer> {
  if (readEntryName(entryNames.file(path)) === undefined) {
    throw new BackupError(
      `${join(dataFolder, path)} can't be backed up: rename it to letters, digits, '.', '-' and '_'.`,
    )
  }
  const { size } = await stat(join(dataFolder, path))
  if (size > entryBytesMax) {
    throw new BackupError(`${join(dataFolder, path)} is too large for a backup; move it elsewhere.`)
  }
  return readFile(join(dataFolder, path))
}

/** For the owner alone, whole or not at all; `path` must have passed `readEntryName`. */
export async function writeDataFile(
  dataFolder: string,
  path: string,
  content: Buffer,
): Promise<void> {
  const target = join(dataFolder, path)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  await writeWhole(target, content)
}

/** @throws BackupError when a backup would have to hold itself */
export function assertOutsideOfData(dataFolder: string, file: string): void {
  const inside = relative(dataFolder, resolve(file))
  const isInside = inside !== '' && !inside.startsWith('..') && resolve(inside) !== inside
  if (!isInside || inside.startsWith(backupsFolder + sep)) return
  throw new BackupError(
    `${file} lies in the data folder, which is what is backed up. Choose a place outside of it, or ` +
      `in its folder ${backupsFolder}/.`,
  )
}

/** What is kept of the store; photos (`inputs`) and `layers` are promised to be deleted soon. */
export const backedUpPrefixes = ['brand', 'events', 'pictures', 'stars', 'variations'] as const

/** A store far away answers slowly, so that several objects are asked for at once. */
const readsAtOnce = 8

/** Objects behind a key with their content, by key; one that is deleted meanwhile is left out. */
export async function* readObjects(
  store: ObjectStore,
  prefix: string,
): AsyncIterable<{ key: string; content: Buffer }> {
  const read = async ({ key }: { key: string }) => ({ key, content: await store.get(key) })
  const options = { concurrency: readsAtOnce, highWaterMark: 1 }
  const objects: AsyncIterable<Awaited<ReturnType<typeof read>>> = Readable.from(
    store.list(prefix),
  ).map(read, options)
  for await (const { key, content } of objects) {
    if (content !== undefined) yield { key, content: Buffer.from(content) }
  }
}

const mediaTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  avif: 'image/avif',
  webp: 'image/webp',
}

/** The media type that an object's name says. */
export function mediaTypeOf(key: string): string {
  return mediaTypes[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}
