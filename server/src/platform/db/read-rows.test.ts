import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { createRowReader, requestRows } from './read-rows.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(1)
  // As many rows as make the planner weigh a plan for one key against a plan for ten.
  await db.pool.query(
    `insert into users (email, username, password_hash, referral_code)
     select 'p' || n || '@example.test', 'Person', '', 'R' || n from generate_series(1, 20000) as n`,
  )
  await db.pool.query('vacuum analyze users')
})
afterAll(() => db[Symbol.asyncDispose]())

test('a read is planned once, not at each sending, and finds every key of the list', async () => {
  const { rows } = await db.pool.query<{ id: string }>('select id from users limit 40')
  const read = createRowReader<string, { email: string }>(db.pool, {
    name: 'people',
    text: `
      select request.n::integer as n, users.email
      from (${requestRows('$1::uuid[]')}) as request (id, n)
      join users on users.id = request.id
      left join credit_accounts on credit_accounts.user_id = users.id
      left join sessions on sessions.user_id = users.id`,
    values: (ids) => [ids],
  })
  for (let n = 0; n < 20; n += 1) await read(rows[n]?.id ?? '')
  const found = await Promise.all([...rows.map(({ id }) => read(id)), read(randomUUID())])
  expect(found.filter((row) => row !== undefined)).toHaveLength(40)
  const { rows: plans } = await db.pool.query<{ custom: number }>(
    `select custom_plans::integer as custom from pg_prepared_statements where name = 'people'`,
  )
  // PostgreSQL tries five plans of their own before it weighs them against the common one.
  expect(plans).toEqual([{ custom: 5 }])
})
