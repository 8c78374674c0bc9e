import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { makeUser } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { readDailyFigures } from './figure-report.ts'

const readMigration = (name: string) =>
  readFile(new URL(`../../../migrations/${name}.sql`, import.meta.url), 'utf8')

test('figures that were kept with the whole price are those of what came', async () => {
  await using db = await openTestDatabase(2)
  const { pool, database } = db
  // As it was before.
  await pool.query('drop function note_received_cents() cascade')
  await pool.query('alter table orders drop column received_cents')
  await pool.query(await readMigration('0074-test-money-apart'))
  await pool.query((await readMigration('0060-since-0.1.0')).match(keepTerms)?.[0] ?? 'none')
  const userId = await makeUser(database)
  const add = async (id: string, provider: string, granted: number | null) => {
    await pool.query(
      `insert into orders (id, user_id, package_type, price_cents, credits, status, provider,
        created_at, updated_at)
       values ($1, $2, 'basic', 1000, 100, 'processing', $3, now(), now())`,
      [id, userId, provider],
    )
    await pool.query(
      `insert into payments (provider, payment_id, order_id, state, pay_currency, pay_amount,
        paid_amount, settled_amount, price_minor_units, price_currency, first_seen_at)
       values ($2, $1, $1, 'partial', 'ltc', 10, 6.25, 6.25, 1000, 'usd', now())`,
      [id, provider],
    )
    await pool.query(
      `with paid as (update payments set credited = true where order_id = $1)
       update orders set status = 'completed', credited_at = now(), credits_granted = $2 where id = $1`,
      [id, granted],
    )
  }
  await add('order_came_aaaaaa', 'nowpayments', 62)
  await add('order_came_bbbbbb', 'nowpayments', null)
  await add('order_came_cccccc', 'sandbox', 62)
  await add('order_came_dddddd', 'nowpayments', 62)
  await pool.query(`update payments set state = 'refunded' where order_id = 'order_came_dddddd'`)
  await pool.query(`update orders set reversed_at = now() where id = 'order_came_dddddd'`)
  const read = async () => {
    const rows = await readDailyFigures(database, '2000-01-01')
    const cents = rows.filter(({ figure }) => figure.endsWith('_cents'))
    return Object.fromEntries(cents.map(({ figure, amount }) => [figure, amount]))
  }
  const whole = { revenue_cents: 3000, coin_cents: 3000, refunded_cents: 1000 }
  expect(await read()).toEqual({ ...whole, test_money_cents: 1000 })
  await pool.query(await readMigration('0077-figures-of-what-came'))
  // Of money that went back, the price of the credits.
  const came = { revenue_cents: 2245, coin_cents: 2245, refunded_cents: 620 }
  expect(await read()).toEqual({ ...came, test_money_cents: 625 })
  await pool.query('select recount_daily_figures()')
  expect(await read()).toEqual({ ...came, test_money_cents: 625 })
})

const keepTerms = /create or replace function[^;]*keep_order_terms[^]*?\$\$;\n/i
