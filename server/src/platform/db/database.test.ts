import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { inTransaction, openDatabase } from './database.ts'
import type { Database } from './database.ts'

async function ownPid(database: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database)
  return rows[0]?.pid ?? 0
}

async function withHurtPool(
  act: (parts: { database: Database; kill: (pid: number) => Promise<void> }) => Promise<void>,
): Promise<Error[]> {
  await using db = await openTestDatabase(2)
  const errors: Error[] = []
  const handle = openDatabase({
    url: db.url,
    connectionsMax: 1,
    onError: (error) => errors.push(error),
  })
  const kill = async (pid: number) => {
    await sql`select pg_terminate_backend(${pid})`.execute(db.database)
    await expect.poll(() => errors.length).toBeGreaterThan(0)
  }
  await act({ database: handle.database, kill })
  await expect.poll(() => ownPid(handle.database)).toBeGreaterThan(0)
  await handle.close()
  return errors
}

test('a connection that dies while idle is told and replaced', async () => {
  const errors = await withHurtPool(async ({ database, kill }) => kill(await ownPid(database)))
  expect(errors[0]?.message).toMatch(/terminat/)
})

test('a connection that dies between two statements fails its transaction, not the program', async () => {
  const errors = await withHurtPool(async ({ database, kill }) => {
    const transaction = inTransaction(database, async (own) => {
      await kill(await ownPid(own))
      await sql`select 1`.execute(own)
    })
    await expect(transaction).rejects.toThrow()
  })
  expect(errors[0]?.message).toMatch(/terminat/)
})

test('closing waits until every connection has ended', async () => {
  await using db = await openTestDatabase(1)
  const handle = openDatabase({
    url: db.url,
    connectionsMax: 8,
    onError: (error) => {
      throw error
    },
  })
  let open = 0
  handle.pool.on('connect', (client) => {
    open += 1
    client.once('end', () => {
      open -= 1
    })
  })
  await Promise.all(Array.from({ length: 8 }, () => ownPid(handle.database)))
  expect(open).toBeGreaterThan(1)
  await handle.close()
  expect(open).toBe(0)
})
