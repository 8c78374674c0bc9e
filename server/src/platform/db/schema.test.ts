import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { dumpSchema } from './testing/dump-schema.ts'
import { writeTableTypes } from './testing/write-table-types.ts'
import { migrate, readMigrations } from './migrate.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(2)
})
afterAll(() => db[Symbol.asyncDispose]())

test('schema.sql shows what the migrations make; `vitest -u` writes it anew', async () => {
  await expect(await dumpSchema(db.database)).toMatchFileSnapshot('../../../schema.sql')
})

test('tables.d.ts has the types that follow from schema.sql; `vitest -u` writes it anew', async () => {
  const known = await readFile(new URL('column-types.ts', import.meta.url), 'utf8')
  const types = writeTableTypes(await dumpSchema(db.database), known)
  await expect(types).toMatchFileSnapshot('tables.d.ts')
})

test('six programs that migrate at once agree', async () => {
  const results = await Promise.all(Array.from({ length: 6 }, () => migrate(db.url)))
  expect(results.flatMap(({ applied }) => applied)).toEqual([])
})

/** A migrated database whose steps since 0.1.0 are noted as the files that they were; less the last `missing`. */
async function openWithSteps(missing: number) {
  const old = await openTestDatabase(2)
  const one = (await readMigrations()).find(({ replaces }) => replaces.length > 0)
  await old.pool.query('delete from schema_migrations where name = $1', [one?.name])
  await old.pool.query(
    `insert into schema_migrations (name, sha256) select name, '' from unnest($1::text[]) as name`,
    [one?.replaces.slice(0, one.replaces.length - missing)],
  )
  return old
}
const namesIn = async ({ pool }: typeof db) =>
  (await pool.query<{ name: string }>('select name from schema_migrations order by name')).rows

test('a database that has taken the steps since 0.1.0 one by one is recognised', async () => {
  await using old = await openWithSteps(0)
  expect(await migrate(old.url)).toEqual({ applied: [] })
  expect(await namesIn(old)).toEqual((await readMigrations()).map(({ name }) => ({ name })))
})

test('one that has taken some of them is refused, told of the way, and left as it was', async () => {
  await using old = await openWithSteps(1)
  const before = await namesIn(old)
  await expect(migrate(old.url)).rejects.toThrow(/Start the last version .* on it first/)
  expect(await namesIn(old)).toEqual(before)
})
