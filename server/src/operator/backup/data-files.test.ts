import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { assertOutsideOfData, listDataFiles, readDataFile, writeDataFile } from './data-files.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starside-data-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a file that is put back is its owner’s alone, also in a folder that wasn’t there', async () => {
  await writeDataFile(folder, 'keys/secret.key', Buffer.from('old'))
  await writeDataFile(folder, 'keys/secret.key', Buffer.from('new'))
  expect(await readFile(join(folder, 'keys/secret.key'), 'utf8')).toBe('new')
  const modes = ['keys', 'keys/secret.key'].map(async (path) => {
    const { mode } = await stat(join(folder, path))
    return mode & 0o777
  })
  expect(await Promise.all(modes)).toEqual([0o700, 0o600])
  expect(await listDataFiles(folder)).toEqual(['keys/secret.key'])
})

test('files are listed by name through all folders, and a folder that isn’t there has none', async () => {
  await mkdir(join(folder, 'b', 'c'), { recursive: true })
  for (const path of ['z.key', 'b/c/1.json', 'a.key']) await writeFile(join(folder, path), path)
  expect(await listDataFiles(folder)).toEqual(['a.key', 'b/c/1.json', 'z.key'])
  expect(await listDataFiles(join(folder, 'nowhere'))).toEqual([])
  expect((await readDataFile(folder, 'b/c/1.json')).toString()).toBe('b/c/1.json')
})

test('what a link leads to is none of the folder’s files', async () => {
  await writeFile(join(folder, 'own.key'), 'own')
  await symlink('/etc/hostname', join(folder, 'elsewhere.key'))
  expect(await listDataFiles(folder)).toEqual(['own.key'])
})

test('a backup lies outside of what it holds, or in the folder that is left out', () => {
  const inData = (path: string) => () => assertOutsideOfData(folder, join(folder, path))
  expect(inData('one.tar')).toThrow('lies in the data folder')
  expect(inData('backups/one.tar')).not.toThrow()
  expect(inData('../one.tar')).not.toThrow()
})
