import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { grantCredits } from '../../ledger/credits/grant.ts'
import { makeUser } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { readDailyFigures } from './figure-report.ts'

const readMigration = (name: string) =>
  readFile(new URL(`../../../migrations/${name}.sql`, import.meta.url), 'utf8')

test('first purchases that were counted in test money are counted apart, and moved to the first real one', async () => {
  await using db = await openTestDatabase(2)
  const { pool, database } = db
  // As it was before.
  await pool.query('drop trigger ledger_entries_noted on ledger_entries')
  await pool.query('drop function is_of_test_money')
  await pool.query(await readMigration('0077-figures-of-what-came').then(functionsOf))
  await pool.query(await readMigration('0060-since-0.1.0').then(firstPurchaseOf))
  const buy = async (userId: string, id: string, provider: string, now: Date) => {
    await pool.query(
      `insert into orders (id, user_id, package_type, price_cents, credits, status, provider,
        created_at, updated_at)
       values ($1, $2, 'basic', 1000, 100, 'processing', $3, $4, $4)`,
      [id, userId, provider, now],
    )
    const booking = { amount: 100, description: 'bought', reference: `order:${id}`, now }
    await grantCredits(database, { userId, reason: 'purchase', ...booking })
    await pool.query(`update orders set status = 'completed', credited_at = $2 where id = $1`, [
      id,
      now,
    ])
  }
  const later = new Date(Date.now() + 24 * 60 * 60_000)
  const [tried, moved, real] = [
    await makeUser(database),
    await makeUser(database),
    await makeUser(database),
  ]
  await buy(tried, 'order_m1_aaaaaa', 'sandbox', new Date())
  await buy(moved, 'order_m1_bbbbbb', 'sandbox', new Date())
  await buy(moved, 'order_m1_cccccc', 'nowpayments', later)
  await buy(real, 'order_m1_dddddd', 'nowpayments', new Date())
  const read = async () => {
    const rows = await readDailyFigures(database, '2000-01-01')
    return rows
      .filter(({ figure }) => figure.endsWith('_purchases'))
      .map(({ day, figure, amount }) => [figure, day === dayOf(later) ? 'later' : 'now', amount])
  }
  expect(await read()).toEqual([['first_purchases', 'now', 3]])
  await pool.query(await readMigration('0078-purchases-in-test-money'))
  const apart = [
    ['first_purchases', 'now', 1],
    ['test_purchases', 'now', 2],
    ['first_purchases', 'later', 1],
  ]
  expect(await read()).toEqual(apart)
  await pool.query('select recount_daily_figures()')
  expect(await read()).toEqual(apart)
})

const dayOf = (date: Date) => date.toISOString().slice(0, 10)

/** The functions that a migration replaces, without what it does to rows and tables. */
const functionsOf = (migration: string) =>
  [...migration.matchAll(/create or replace function (?:note_order|recount)[^]*?\$\$;\n/g)].join(
    '\n',
  )

const firstPurchaseOf = (migration: string) =>
  (
    /create function note_first_purchase[^]*?execute function note_first_purchase\(\);/.exec(
      migration,
    )?.[0] ?? ''
  ).replace('create function', 'create or replace function')
