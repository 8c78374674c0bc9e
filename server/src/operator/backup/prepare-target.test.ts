import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../platform/db/testing/test-database.ts'
import { assertNobodyConnected, nodeNames } from './restore.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db[Symbol.asyncDispose]())

async function connect(name: string, connectionString = db.url) {
  const client = new pg.Client({ connectionString, application_name: name })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

test.each(nodeNames)('a node of which %s alone is connected refuses a restore', async (name) => {
  await using client = await connect('restore')
  {
    await using node = await connect(name)
    await node.query('select 1')
    await expect(assertNobodyConnected(client)).rejects.toThrow(/Stop all its nodes first/)
  }
  await expect
    .poll(() => assertNobodyConnected(client).then(() => 'restored', String))
    .toBe('restored')
})

test('who only looks at the database is no node, nor is one of another database', async () => {
  await using client = await connect('restore')
  await using other = await connect('psql')
  await other.query('select 1')
  const elsewhere = new URL(db.url)
  elsewhere.pathname = '/postgres'
  await using node = await connect(nodeNames[0], elsewhere.href)
  await node.query('select 1')
  await assertNobodyConnected(client)
})
