import { expect, test } from 'vitest'
import { AppError } from '../errors/app-error.ts'
import { codeOf, undefinedWhenMissing } from '../errors/code-of.ts'
import { DatabaseError, explainDatabaseError } from './explain-database-error.ts'
import { isMissingTable, violatedConstraint } from './postgres-errors.ts'
import { hasTable, withClient } from './with-client.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'

const withCode = (code: unknown) => Object.assign(new Error('failed'), { code })

test('a database that can’t be reached is reported by name, address and reason, without its password', () => {
  const refused = withCode('ECONNREFUSED')
  const told = explainDatabaseError('postgres://me:hunter2@db.example/starside', refused)
  expect(told).toBeInstanceOf(DatabaseError)
  expect(told).toMatchObject({ cause: refused, name: 'DatabaseError' })
  expect(String(told)).toMatch(
    /The database starside at db\.example:5432 can't be used: .+ \(named by DATABASE_URL\)\.$/,
  )
  expect(String(told)).not.toContain('hunter2')
  expect(String(explainDatabaseError('postgres://db:6000/x', refused))).toContain(' x at db:6000 ')
  const other = withCode('EOTHER')
  expect(explainDatabaseError('postgres://db/x', other)).toBe(other)
})

test('an error’s code is a text or none, and what is missing is nothing', () => {
  expect([codeOf(withCode('ENOENT')), codeOf(withCode(7)), codeOf({ code: 'X' })]).toEqual([
    'ENOENT',
    '',
    '',
  ])
  expect(undefinedWhenMissing(withCode('ENOENT'))).toBeUndefined()
  expect(() => undefinedWhenMissing(withCode('EACCES'))).toThrow('failed')
})

test('an expected failure has the status and sentence of its code, or a sentence of its own', () => {
  const cause = new Error('why')
  const error = new AppError('not_found', {
    sentence: 'It is gone.',
    retryAfterSeconds: 3,
    photo: 'star',
    generationId: 'g',
    cause,
  })
  expect(error).toMatchObject({
    name: 'AppError',
    code: 'not_found',
    status: 404,
    message: 'It is gone.',
    retryAfterSeconds: 3,
    photo: 'star',
    generationId: 'g',
    cause,
  })
  expect(new AppError('not_found').message).not.toBe('')
})

test('a refusal of the database is known by its constraint, a missing table by its code', async () => {
  await using db = await openTestDatabase(2)
  const failure = (statement: string) => db.pool.query(statement).then(undefined, (e: unknown) => e)
  const refused = await failure("update credit_accounts set balance = 5 where kind = 'system'")
  expect(violatedConstraint(refused)).toBe('credit_accounts_balance_unless_system')
  const missing = await failure('select from no_such_table')
  expect([isMissingTable(missing), isMissingTable(refused), violatedConstraint(missing)]).toEqual([
    true,
    false,
    undefined,
  ])
  expect([violatedConstraint(withCode('23505')), isMissingTable(withCode('42P01'))]).toEqual([
    undefined,
    false,
  ])
  const told = await withClient(db.url, 'starside-looks', async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select current_setting('application_name') as name",
    )
    const tables = [await hasTable(client, 'users'), await hasTable(client, 'no_such_table')]
    return [rows[0]?.name, ...tables]
  })
  expect(told).toEqual(['starside-looks', true, false])
  const failing = withClient(db.url, 'starside-fails', () => Promise.reject(new Error('mine')))
  await expect(failing).rejects.toThrow('mine')
  const open = async () =>
    (
      await db.pool.query(
        "select from pg_stat_activity where application_name in ('starside-looks', 'starside-fails')",
      )
    ).rowCount
  await expect.poll(open).toBe(0)
})
