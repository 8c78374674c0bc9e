import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from './test-database.ts'

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

test('every test database is migrated, and what one does the other never sees', async () => {
  await using first = await createTestDatabase()
  await using second = await createTestDatabase()
  const migrations = 'SELECT count(*)::int > 0 AS migrated FROM schema_migrations'
  expect(await query(first.url, migrations)).toEqual([{ migrated: true }])

  await query(first.url, 'CREATE TABLE mark (id int)')
  expect(await query(first.url, `SELECT to_regclass('mark') IS NULL AS absent`)).toEqual([
    { absent: false },
  ])
  expect(await query(second.url, `SELECT to_regclass('mark') IS NULL AS absent`)).toEqual([
    { absent: true },
  ])
})

test('a database that is disposed of is gone, even while a connection is open', async () => {
  const database = await createTestDatabase()
  const client = new Client({ connectionString: database.url })
  client.on('error', () => {})
  await client.connect()
  await database[Symbol.asyncDispose]()
  await expect(query(database.url, 'SELECT 1')).rejects.toThrow(/does not exist/u)
})

test('tests work as a role that is no superuser, like the program itself', async () => {
  await using database = await createTestDatabase()
  expect(
    await query(database.url, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user'),
  ).toEqual([{ rolsuper: false }])
})
