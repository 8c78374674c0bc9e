import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/open-test-database.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(2)
})
afterAll(() => db[Symbol.asyncDispose]())

/** The statement of the changes since 0.1.0 that begins so. */
async function readStatement(start: string): Promise<string> {
  const file = new URL('../../../migrations/0060-since-0.1.0.sql', import.meta.url)
  const text = await readFile(file, 'utf8')
  const from = text.indexOf(start)
  return text.slice(from, text.indexOf(';\n', from) + 1)
}

test('counters that hold a plain address are deleted, the others still count', async () => {
  const plain = ['registration:203.0.113.7', 'sign-in-address:2001:db8::1', 'reset-address:1.2.3.4']
  const others = ['sign-in-account:digest', 'report-address:digest']
  await db.pool.query('insert into rate_limits (key, points) select unnest($1::text[]), 1', [
    [...plain, ...others],
  ])
  await db.pool.query(await readStatement('delete from rate_limits'))
  const { rows } = await db.pool.query<{ key: string }>('select key from rate_limits order by key')
  expect(rows.map(({ key }) => key)).toEqual(others.toSorted((a, b) => (a < b ? -1 : 1)))
})

test('e-mails are composed, and of two that become the same one stays as it was', async () => {
  const add = (email: string, code: string) =>
    db.pool.query(
      `insert into users (email, username, password_hash, referral_code)
       values ($1, 'somebody', 'hash', $2)`,
      [email, code],
    )
  await add('jose\u0301@example.org', 'AAAAAAAA')
  await add('zoe\u0308@example.org', 'BBBBBBBB')
  await add('zo\u00EB@example.org', 'CCCCCCCC')
  await db.pool.query(await readStatement('update users'))
  const { rows } = await db.pool.query<{ email: string }>(
    'select email from users order by referral_code',
  )
  expect(rows.map(({ email }) => email)).toEqual([
    'jos\u00E9@example.org',
    'zoe\u0308@example.org',
    'zo\u00EB@example.org',
  ])
})
