import { readFileSync, writeFileSync } from 'node:fs'
import { copyFile, mkdtemp, open, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditBooks } from '../../ledger/credits/audit.ts'
import { captureHold } from '../../ledger/credits/close-hold.ts'
import { placeHold } from '../../ledger/credits/hold.ts'
import { makeDoneGeneration } from '../../testing/make-generation.ts'
import { makeUser } from '../../testing/make-user.ts'
import type { Database } from '../../platform/db/database.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { openTestS3 } from '../../testing/open-test-s3.ts'
import { openFolderStore } from '../../platform/storage/folder-store.ts'
import type { ObjectStore } from '../../platform/storage/object-store.ts'
import { openS3Store } from '../../platform/storage/s3-store.ts'
import { backUp } from './back-up.ts'
import type { BackupRequest } from './back-up.ts'
import { restore } from './restore.ts'
import { listKeys } from '../../testing/list-keys.ts'

type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>

const passphrase = 'a passphrase for trying'
const users = 40
const pictures = 60

let folder: string
let source: TestDatabase
let dataFolder: string
let store: ObjectStore
/** An encrypted backup, made while credits were spent and people came. */
let backupFile: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starside-backup-'))
  dataFolder = join(folder, 'data')
  source = await openTestDatabase()
  store = openFolderStore(join(dataFolder, 'objects'))
  for (let n = 0; n < users; n += 1) await spend(source, await makeUser(source.database, 10))
  for (let n = 0; n < pictures; n += 1) {
    await store.put(pictureKey(n), Buffer.alloc(50_000, n), 'image/jpeg')
  }
  // Whose picture was deleted is missed by nobody.
  const gone = await makeDoneGeneration(source.database, { row: { deleted_at: new Date() } })
  await sql`insert into generation_layers (generation_id, object_key, encryption_key, expires_at)
    values (${gone.generationId}, 'layers/1', ${Buffer.alloc(32)}, now() + interval '1 day')`.execute(
    source.database,
  )
  await store.put('inputs/0001/user-8x8.png', Buffer.from('a photo'), 'image/png')
  await writeFile(join(dataFolder, 'signing-secret'), 'a'.repeat(64))
  backupFile = join(folder, 'first.tar')
  const load = spendWhile()
  await backUp(request({ target: backupFile, passphrase }))
  expect(await load.stop()).toBeGreaterThan(0)
})
afterAll(async () => {
  await source[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const pictureKey = (n: number) => `pictures/${String(n).padStart(4, '0')}/1-clean.jpg`

function request(changes: Partial<BackupRequest>): BackupRequest {
  return {
    databaseUrl: source.url,
    store,
    dataFolder,
    target: join(folder, 'unnamed.tar'),
    passphrase: undefined,
    now: () => new Date(),
    print: () => undefined,
    ...changes,
  }
}

async function spend({ database }: TestDatabase, userId: string): Promise<void> {
  const hold = await placeHold(database, {
    userId,
    amount: 1,
    description: 'Photo generation',
    reference: crypto.randomUUID(),
    now: new Date(),
  })
  if (hold.outcome === 'held') await captureHold(database, { holdId: hold.holdId, now: new Date() })
}

/** People come and spend until it is stopped. */
function spendWhile() {
  const end = new AbortController()
  const spendUntilEnd = async () => {
    let rounds = 0
    for (; !end.signal.aborted; rounds += 1) {
      await spend(source, await makeUser(source.database, 3))
    }
    return rounds
  }
  const running = spendUntilEnd()
  return {
    stop: () => {
      end.abort()
      return running
    },
  }
}

/** An empty installation: database, folder and an S3 store of its own. */
async function openTarget() {
  const database = await openTestDatabase()
  const s3 = await openTestS3(folder)
  const targetFolder = await mkdtemp(join(folder, 'target-'))
  const targetStore = openS3Store(s3.settings)
  return {
    database,
    store: targetStore,
    dataFolder: targetFolder,
    restore: (changes: Partial<Parameters<typeof restore>[0]> = {}) =>
      restore({
        databaseUrl: database.url,
        store: targetStore,
        dataFolder: targetFolder,
        source: backupFile,
        passphrase,
        replaces: false,
        print: () => undefined,
        ...changes,
      }),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await s3[Symbol.asyncDispose]()
    },
  }
}

test('a backup made under load is restored elsewhere, and its books add up', async () => {
  await using target = await openTarget()
  const told: string[] = []
  const print = (sentence: string) => told.push(sentence)
  const { objects, rows, missingPictures } = await target.restore({ print })
  expect(told).toEqual([expect.stringMatching(/^Reading the backup of /), 'Filling the tables…'])
  expect({ objects, missingPictures }).toEqual({ objects: pictures, missingPictures: 0 })
  expect(rows).toBeGreaterThan(5 * users)
  const report = await auditBooks(target.database.database)
  expect(report.findings).toEqual([])
  expect(report.userAccounts).toBeGreaterThanOrEqual(users)
  expect(await target.store.get(pictureKey(7))).toEqual(Buffer.alloc(50_000, 7))
  expect(await readFile(join(target.dataFolder, 'signing-secret'), 'utf8')).toBe('a'.repeat(64))
})

test('what was restored goes on: numbers continue, triggers work, no table of the restore is left', async () => {
  await using target = await openTarget()
  await target.restore()
  await spend(target.database, await makeUser(target.database.database, 5))
  expect((await auditBooks(target.database.database)).findings).toEqual([])
  const change = sql`update ledger_entries set amount = 2`.execute(target.database.database)
  await expect(change).rejects.toThrow(/append-only/)
  const { rows } = await sql`
    select from pg_class where relname like 'restore%'`.execute(target.database.database)
  expect(rows).toEqual([])
})

test('uploaded photos are in no backup, as they are promised to be deleted', async () => {
  await using target = await openTarget()
  await target.restore()
  expect(await listKeys(store, 'inputs')).toHaveLength(1)
  expect(await listKeys(target.store, 'inputs')).toEqual([])
})

test('keys of layers are in no backup, as what they open must not outlive them', async () => {
  const count = (database: Database) =>
    sql<{ count: number }>`select count(*)::integer as count from generation_layers`
      .execute(database)
      .then(({ rows }) => rows[0]?.count)
  await using target = await openTarget()
  await target.restore()
  expect(await count(source.database)).toBeGreaterThan(0)
  expect(await count(target.database.database)).toBe(0)
})

test('an encrypted backup shows nothing of people and opens with its passphrase alone', async () => {
  const bytes = await readFile(backupFile)
  expect(bytes.includes('example.test')).toBe(false)
  expect(bytes.includes('a'.repeat(64))).toBe(false)
  expect((await stat(backupFile)).mode & 0o777).toBe(0o600)
  await using target = await openTarget()
  await expect(target.restore({ passphrase: undefined })).rejects.toThrow(/--passphrase-file/)
  await expect(target.restore({ passphrase: 'another passphrase' })).rejects.toThrow(
    /another one\. Nothing was changed/,
  )
})

test.for([
  ['a changed byte', async (file: string) => overwrite(file, 40_000, Buffer.from([1, 2, 3]))],
  ['a missing end', async (file: string) => truncate(file, (await stat(file)).size - 3_000)],
] as const)('a backup with %s is refused before anything is changed', async ([, damage]) => {
  await using target = await openTarget()
  const damaged = join(target.dataFolder, 'damaged.tar')
  await copyFile(backupFile, damaged)
  await damage(damaged)
  await expect(target.restore({ source: damaged })).rejects.toThrow(/damaged or not complete/)
  const { rows } = await sql`select from users`.execute(target.database.database)
  expect(rows).toEqual([])
})

test('an installation with people is replaced only if asked for, and then with its jobs', async () => {
  await using target = await openTarget()
  const before = await makeUser(target.database.database, 5)
  await sql`create schema if not exists pgboss`.execute(target.database.database)
  // A node that is connected may not lose its tables either.
  await expect(target.restore()).rejects.toThrow(/Stop all its nodes/)
  const { url } = target.database
  await target.database.close()
  await expect(target.restore()).rejects.toThrow(/holds people already.*--replace/s)
  await target.restore({ replaces: true })
  await using after = await reopen(url)
  const { rows } = await sql`select from users where id = ${before}`.execute(after.database)
  expect(rows).toEqual([])
  const jobs = await sql`select to_regnamespace('pgboss') as schema`.execute(after.database)
  expect(jobs.rows).toEqual([{ schema: null }])
  expect((await auditBooks(after.database)).findings).toEqual([])
})

test('an interrupted backup leaves no file of its name, and begins anew with today’s tables', async () => {
  const target = join(folder, 'interrupted.tar')
  const failing = { ...store, get: failReadAfter(20) }
  await expect(backUp(request({ target, store: failing }))).rejects.toThrow(/the store is gone/)
  expect(await readdir(folder)).not.toContain('interrupted.tar')
  const latecomer = await makeUser(source.database)
  expect((await backUp(request({ target }))).objects).toBe(pictures)
  await using into = await openTarget()
  const { objects } = await into.restore({ source: target, passphrase: undefined })
  expect(objects).toBe(pictures)
  const { rows } = await sql`select from users where id = ${latecomer}`.execute(
    into.database.database,
  )
  expect(rows).toHaveLength(1)
})

test('a backup that the disk has spoilt gets no name', async () => {
  const target = join(folder, 'spoilt.tar')
  const spoil = () => {
    const bytes = readFileSync(`${target}.part`)
    const at = bytes.indexOf(Buffer.alloc(100, 7))
    bytes.writeUInt8(8, at)
    writeFileSync(`${target}.part`, bytes)
  }
  const print = (sentence: string) => void (sentence.startsWith('Reading it') && spoil())
  await expect(backUp(request({ target, print }))).rejects.toThrow(/damaged/)
  expect(await readdir(folder)).not.toContain('spoilt.tar')
})

test('the pictures of brand, stars and variations are kept too', async () => {
  const target = join(folder, 'kinds.tar')
  const small = openFolderStore(join(folder, 'kinds'))
  const keys = ['brand/1/logo.png', 'stars/1/picture.jpg', 'variations/1/1-clean.jpg']
  for (const key of keys) await small.put(key, Buffer.from(key), 'image/png')
  await backUp(request({ target, store: small }))
  const bytes = await readFile(target)
  expect(keys.filter((key) => !bytes.includes(`/${key}`))).toEqual([])
})

test('an interrupted restore goes on with the pictures', async () => {
  await using target = await openTarget()
  const { url } = target.database
  await target.database.close()
  const failing = { ...target.store, put: failAfter(24, target.store) }
  await expect(target.restore({ store: failing })).rejects.toThrow(/the store is gone/)
  const told: string[] = []
  const put = new Set<string>()
  const counting: ObjectStore = {
    ...target.store,
    put: (key, bytes, mediaType) => {
      put.add(key)
      return target.store.put(key, bytes, mediaType)
    },
  }
  await target.restore({ store: counting, print: (sentence) => told.push(sentence) })
  expect(told).toContain('Going on where it was interrupted.')
  expect(put.size).toBeLessThan(pictures)
  expect(await listKeys(target.store, 'pictures')).toHaveLength(pictures)
  await using after = await reopen(url)
  expect((await auditBooks(after.database)).findings).toEqual([])
})

test('after an interrupted restore another backup is restored as a whole, and nothing of the first is left', async () => {
  await using target = await openTarget()
  await target.database.close()
  const failing = { ...target.store, put: failAfter(8, target.store) }
  await expect(target.restore({ store: failing })).rejects.toThrow(/the store is gone/)
  const latecomer = await makeUser(source.database)
  const second = join(folder, 'second.tar')
  await backUp(request({ target: second }))
  await target.restore({ source: second, passphrase: undefined, replaces: true })
  await using after = await reopen(target.database.url)
  const { rows } = await sql`select from users where id = ${latecomer}`.execute(after.database)
  expect(rows).toHaveLength(1)
})

test('a backup never overwrites a file, nor lies in what it backs up', async () => {
  await expect(backUp(request({ target: backupFile }))).rejects.toThrow(/exists already/)
  const inside = join(dataFolder, 'backup.tar')
  await expect(backUp(request({ target: inside }))).rejects.toThrow(/lies in the data folder/)
})

async function reopen(url: string) {
  const { openDatabase } = await import('../../platform/db/database.ts')
  const handle = openDatabase({ url, connectionsMax: 2, onError: () => undefined })
  return { ...handle, [Symbol.asyncDispose]: () => handle.close() }
}

function failReadAfter(count: number): ObjectStore['get'] {
  let read = 0
  return async (key) => {
    read += 1
    if (read > count) throw new Error('the store is gone')
    return store.get(key)
  }
}

function failAfter(count: number, of: ObjectStore): ObjectStore['put'] {
  let written = 0
  return async (key, bytes, mediaType) => {
    written += 1
    if (written > count) throw new Error('the store is gone')
    await of.put(key, bytes, mediaType)
  }
}

async function overwrite(path: string, position: number, bytes: Buffer): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(bytes, 0, bytes.length, position)
  await file.close()
}

async function truncate(path: string, byteCount: number): Promise<void> {
  const file = await open(path, 'r+')
  await file.truncate(byteCount)
  await file.close()
}
