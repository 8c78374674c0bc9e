import { captureHold } from '@starside/server/ledger/credits/close-hold.ts'
import { placeHold } from '@starside/server/ledger/credits/hold.ts'
import type { CompiledQuery } from 'kysely'
import { accounts, userExpression, userId, holdRequest } from './people.ts'
import {
  orderId,
  orderExpression,
  paymentId,
  paymentExpression,
  makeOrders,
  settleOrder,
} from './orders.ts'
import type { Bench } from './open-bench.ts'

/** The scripts of pgbench, made of the statements that the program sends for one act of each kind. */
export async function recordScripts(bench: Bench) {
  const request = holdRequest(1)
  const held = await placeHold(bench.database, request)
  if (held.outcome !== 'held') throw new Error('the bench could not place its first hold')
  await captureHold(bench.database, { holdId: held.holdId, now: new Date() })
  await makeOrders(bench, 0, 1)
  await settleOrder(bench, 1)
  const [hold, capture, ...settle] = bench.takeStatements()
  if (hold === undefined || capture === undefined) throw new Error('nothing was recorded')
  return {
    hold: `\\set user random(1, ${accounts})\n${toScript(
      [hold],
      new Map<unknown, string>([
        [request.userId, userExpression(':user')],
        [request.reference, 'gen_random_uuid()::text'],
      ]),
    )}`,
    capture: toScript(
      [capture],
      new Map<unknown, string>([
        [
          held.holdId,
          `(select hold_id from bench_holds where n = (select nextval('bench_next_hold')))`,
        ],
      ]),
    ),
    settle: `select nextval('bench_next_order') as n \\gset\n${toScript(
      settle,
      new Map<unknown, string>([
        [orderId(1), orderExpression(':n')],
        [paymentId(1), paymentExpression(':n')],
        [`order:${orderId(1)}`, `'order:' || ${orderExpression(':n')}`],
        [userId(1 + (1 % accounts)), userExpression(`1 + :n::bigint % ${accounts}`)],
      ]),
    )}`,
  }
}

/** Puts literals in the place of parameters: expressions where the value changes from run to run. */
function toScript(statements: readonly CompiledQuery[], expressions: Map<unknown, string>): string {
  return statements
    .map(({ sql, parameters }) =>
      onOneLine(sql).replace(/\$(\d+)/g, (_match, number: string) => {
        const value = parameters[Number(number) - 1]
        const toText = (one: unknown) => expressions.get(one) ?? literal(one)
        return Array.isArray(value) ? `array[${value.map(toText).join(', ')}]` : toText(value)
      }),
    )
    .map((sql) => `${sql.trim()};\n`)
    .join('')
}

/** A statement of pgbench ends with its line, and so would one with a comment. */
const onOneLine = (sql: string): string => sql.replace(/-- .*$/gm, '').replace(/\s+/g, ' ')

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return `'${value.toISOString()}'::timestamptz`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') throw new Error(`no literal for a ${typeof value}`)
  return `'${value.replaceAll("'", "''")}'`
}
