import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { openDatabase } from './database.ts'
import type { DatabaseHandle } from './database.ts'
import { createStatementNames } from './prepare-repeated.ts'

describe('a statement', () => {
  test('gets a name once it comes again, and keeps it', () => {
    const nameOf = createStatementNames()
    const names = Array.from({ length: 5 }, () => nameOf('select 1 where $1'))
    expect(names).toEqual([undefined, undefined, 'repeated_1', 'repeated_1', 'repeated_1'])
  })

  test.for([
    'select * from orders where id = $1',
    'select "generations".*, "users"."id" from "generations" where id = $1',
    'insert into orders (id) values ($1) returning *',
  ])('whose columns are open stays unnamed: %s', (text) => {
    const nameOf = createStatementNames()
    expect([nameOf(text), nameOf(text), nameOf(text)]).toEqual([undefined, undefined, undefined])
  })

  test('that counts rows or multiplies is named', () => {
    const nameOf = createStatementNames()
    const text = 'select count(*), $1 * amount from orders'
    expect([nameOf(text), nameOf(text), nameOf(text)]).toContain('repeated_1')
  })
})

describe('on a real database', () => {
  let db: Awaited<ReturnType<typeof openTestDatabase>>
  let handle: DatabaseHandle
  beforeAll(async () => {
    db = await openTestDatabase()
    handle = openDatabase({ url: db.url, connectionsMax: 1, onError: () => undefined })
  })
  afterAll(async () => {
    await handle.close()
    await db[Symbol.asyncDispose]()
  })

  test('repeated statements are prepared, inside and outside transactions', async () => {
    const { database, pool } = handle
    for (let n = 0; n < 4; n += 1) {
      await sql`select ${n}::integer + 1 as next`.execute(database)
      await database
        .transaction()
        .execute((transaction) =>
          transaction.selectFrom('users').select('id').where('email', '=', String(n)).execute(),
        )
    }
    const { rows } = await pool.query<{ statement: string; calls: number }>(
      'select statement, (generic_plans + custom_plans)::integer as calls from pg_prepared_statements order by name',
    )
    expect(rows.map(({ calls }) => calls)).toEqual([2, 2])
    expect(rows[1]?.statement).toContain('from "users"')
  })

  test('a table that gains a column meanwhile fails none', async () => {
    const { database } = handle
    await sql`create table growing (id integer)`.execute(database)
    await sql`insert into growing values (1)`.execute(database)
    const read = () => sql`select * from growing where id = ${1}`.execute(database)
    for (let n = 0; n < 5; n += 1) await read()
    await sql`alter table growing add column later text default 'x'`.execute(database)
    expect((await read()).rows).toEqual([{ id: 1, later: 'x' }])
  })
})
