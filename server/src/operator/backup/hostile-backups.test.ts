import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readMigrations } from '../../platform/db/migrate.ts'
import { openFolderStore } from '../../platform/storage/folder-store.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { entryNames, BackupError } from './archive-format.ts'
import type { BackupSchema } from './archive-format.ts'
import { openArchiveWriter } from './archive.ts'
import { restore } from './restore.ts'

/*
 * Backups that somebody has made by hand: whole by their digest, and hostile in what they hold. Each
 * is refused with a sentence, takes no memory beyond its bounds, and writes nothing outside.
 */

let folder: string
let target: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starside-hostile-'))
  target = await openTestDatabase()
})
afterAll(async () => {
  await target[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

type Entries = [name: string, content: Buffer][]
interface Parts {
  entries?: Entries
  tables?: BackupSchema['tables']
  sequences?: BackupSchema['sequences']
  sealing?: object
  migrations?: BackupSchema['migrations']
}
const ownMigrations = (await readMigrations()).map(({ name, sha256 }) => ({ name, sha256 }))

async function writeBackup({ entries = [], tables, sequences = [], ...parts }: Parts) {
  const file = join(folder, `${crypto.randomUUID()}.tar`)
  const writer = await openArchiveWriter(file, undefined)
  const json = (value: unknown) => Buffer.from(JSON.stringify(value))
  const startedAt = new Date().toISOString()
  const opening = { format: 1, startedAt, version: '0.1.0', sealing: parts.sealing ?? null }
  await writer.add(entryNames.opening, json(opening))
  for (const [name, content] of entries) await writer.add(name, content)
  const schema: BackupSchema = {
    installedAt: startedAt,
    migrations: parts.migrations ?? ownMigrations,
    tables: tables ?? [limits(0)],
    sequences,
  }
  await writer.add(entryNames.schema, json(schema))
  await writer.finish()
  await writer.close()
  return file
}

const limits = (rows: number, columns = ['key']) => ({ name: 'rate_limits', columns, rows })
const piece = (text: string | Buffer) => gzipSync(text)

async function restoreInto(
  dataFolder: string,
  source: string,
  passphrase?: string,
): Promise<unknown> {
  return restore({
    databaseUrl: target.url,
    store: openFolderStore(join(dataFolder, 'objects')),
    dataFolder,
    source,
    passphrase,
    replaces: true,
    print: () => undefined,
  }).catch((error: unknown) => error)
}

const hostile: [string, Parts][] = [
  [
    'a piece that unpacks to half a gigabyte',
    {
      entries: [[entryNames.table('rate_limits', 0), piece(Buffer.alloc(500 * 1024 * 1024))]],
      tables: [limits(5)],
    },
  ],
  [
    'a piece that is not compressed',
    { entries: [[entryNames.table('rate_limits', 0), Buffer.from('no')]], tables: [limits(5)] },
  ],
  [
    'rows of other columns',
    { entries: [[entryNames.table('rate_limits', 0), piece('a\tb\n')]], tables: [limits(1)] },
  ],
  [
    'a table of the system',
    {
      entries: [[entryNames.table('pg_authid', 0), piece('x\n')]],
      tables: [{ name: 'pg_authid', columns: ['rolname'], rows: 1 }],
    },
  ],
  [
    'a statement in the name of a column',
    {
      entries: [[entryNames.table('rate_limits', 0), piece('x\n')]],
      tables: [limits(1, ["id\") from program 'touch evil' --"])],
    },
  ],
  [
    'a statement in the name of a sequence',
    { sequences: [{ name: "x'); drop table users; --", lastValue: '1' }] },
  ],
  [
    'a sequence beyond all numbers',
    { sequences: [{ name: 'ledger_entries_id_seq', lastValue: '9'.repeat(400) }] },
  ],
  [
    'a cost that scrypt has no sense for',
    {
      sealing: {
        cipher: 'aes-256-gcm',
        keyDerivation: 'scrypt',
        cost: 3,
        salt: '0'.repeat(32),
      },
    },
  ],
  [
    'a file in the place of a folder',
    {
      entries: [
        ['files/a', Buffer.from('x')],
        ['files/a/b', Buffer.from('x')],
      ],
    },
  ],
  ['a path that leads out of the folder', { entries: [['files/../evil', Buffer.from('x')]] }],
  ['an absolute path', { entries: [['/evil', Buffer.from('x')]] }],
  [
    'a setting of the database',
    { entries: [['files/postgres/cluster/postgresql.auto.conf', Buffer.from('x')]] },
  ],
]

test.for(hostile)('a backup with %s is refused with a sentence', async ([, parts]) => {
  const dataFolder = await mkdtemp(join(folder, 'data-'))
  const passphrase = parts.sealing && 'a passphrase'
  const outcome = await restoreInto(dataFolder, await writeBackup(parts), passphrase)
  expect(outcome).toBeInstanceOf(BackupError)
  expect(outcome).toMatchObject({
    message: expect.stringMatching(/fit together|damaged|no backup/),
  })
  expect(await readdir(folder)).not.toContain('evil')
})

test.for<[string, BackupSchema['migrations'][number]]>([
  ['is not known here', { name: '9999-later', sha256: '0'.repeat(64) }],
  ['says something else here', { name: ownMigrations[0]?.name ?? '', sha256: '0'.repeat(64) }],
])('a backup of which a migration %s waits for its own version', async ([, migration]) => {
  const source = await writeBackup({ migrations: [migration] })
  const outcome = await restoreInto(await mkdtemp(join(folder, 'data-')), source)
  expect(outcome).toBeInstanceOf(BackupError)
  expect(outcome).toMatchObject({
    message: expect.stringContaining(`(migration ${migration.name})`),
  })
})

test('a piece of a table is restored that is as large as backups have them', async () => {
  const rows = 33_000
  const keys = Array.from({ length: rows }, (_, n) => `${String(n).padStart(255, '0')}\n`).join('')
  expect(keys.length).toBeGreaterThan(8 * 1024 * 1024)
  const source = await writeBackup({
    entries: [[entryNames.table('rate_limits', 0), piece(keys)]],
    tables: [limits(rows)],
  })
  const restored = await restoreInto(await mkdtemp(join(folder, 'data-')), source)
  expect(restored).toMatchObject({ rows })
})

test('a backup in the open is refused where a passphrase is named, as anybody may have written it', async () => {
  const source = await writeBackup({})
  const outcome = await restoreInto(await mkdtemp(join(folder, 'data-')), source, 'a passphrase')
  expect(outcome).toMatchObject({ message: expect.stringContaining('is not encrypted') })
})

test('after a hostile backup another one can be restored', async () => {
  await restoreInto(
    await mkdtemp(join(folder, 'data-')),
    await writeBackup({
      entries: [[entryNames.table('rate_limits', 0), piece('a\tb\n')]],
      tables: [limits(1)],
    }),
  )
  const good = await restoreInto(await mkdtemp(join(folder, 'data-')), await writeBackup({}))
  expect(good).toMatchObject({ rows: 0, objects: 0 })
})
