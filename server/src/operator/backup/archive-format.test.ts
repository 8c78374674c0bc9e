import { mkdtemp, open, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createSealing, newSealingTerms, openingSchema, readEntryName } from './archive-format.ts'
import { openArchiveWriter } from './archive.ts'

test.for([
  ['database/users/00000001.copy.gz', { kind: 'table', of: 'users' }],
  ['files/secrets.json', { kind: 'file', of: 'secrets.json' }],
  ['files/presets/ada/picture.jpg', { kind: 'file', of: 'presets/ada/picture.jpg' }],
  ['objects/pictures/a-1/clean.jpg', { kind: 'object', of: 'pictures/a-1/clean.jpg' }],
] as const)('%s is an entry of ours', ([name, entry]) => {
  expect(readEntryName(name)).toEqual(entry)
})

test.for([
  'files/../outside',
  'files/presets/../../outside',
  'files//etc/passwd',
  'files/.env',
  'files/postgres/data/postgresql.auto.conf',
  'files/objects/pictures/a.jpg',
  'files/backups/other.tar',
  'objects/../secrets.json',
  'objects/pictures/../../secrets.json',
  'objects/pictures/..',
  'objects/pictures/./a.jpg',
  'objects/pictures//a.jpg',
  'database/users;drop/00000001.copy.gz',
  'database/../00000001.copy.gz',
  '/etc/passwd',
  'files/a\0b',
  'files/a\nb',
])('%j is none, whoever has made the file', (name) => {
  expect(readEntryName(name)).toBeUndefined()
})

test('a passphrase opens a backup whether its accents are letters of their own or marks', async () => {
  const terms = { ...newSealingTerms(), cost: 1_024 }
  const [made, typed] = [
    await createSealing('cafe\u0301 noir', terms),
    await createSealing('caf\u00E9 noir', terms),
  ]
  const content = Buffer.from('what is kept')
  expect(typed.open('files/a.key', made.seal('files/a.key', content))).toEqual(content)
  expect(typed.open('files/b.key', made.seal('files/a.key', content)), 'another name').toBe(
    undefined,
  )
})

test.each([
  [2, true],
  [1_024, true],
  [2 ** 20, true],
  [2 ** 21, false],
  [1, false],
  [1_000, false],
])('a backup that asks for a cost of %i is opened: %s', (cost, isOpened) => {
  const { sealing } = openingSchema.shape
  expect(sealing.safeParse({ ...newSealingTerms(), cost }).success).toBe(isOpened)
})

test('a backup is finished once the disk has all of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'starside-archive-'))
  const any = await open(join(folder, 'any'), 'w')
  const handles = Object.getPrototypeOf(any) as FileHandle
  await any.close()
  const onDisk: number[] = []
  const sync = vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    onDisk.push((await this.stat()).size)
  })
  const writer = await openArchiveWriter(join(folder, 'backup.tar'), undefined)
  await writer.add('files/secrets.json', Buffer.from('{}'))
  const byteCount = await writer.finish()
  sync.mockRestore()
  await writer.close()
  await rm(folder, { recursive: true })
  expect(onDisk).toEqual([byteCount])
})
