/**
 * Spends one account's credits as fast as it can, as one of several processes that all do. Prints
 * how many credits it got.
 *
 *     node spend-in-process.ts USER_ID ATTEMPTS     with the database's address on standard input
 */
import { text } from 'node:stream/consumers'
import { createHoldBatcher } from '../ledger/credits/hold.ts'
import { captureHold } from '../ledger/credits/close-hold.ts'
import { placeHold } from '../ledger/credits/hold.ts'
import { openTestPool } from './open-test-database.ts'

const [userId = '', attemptsText = '0'] = process.argv.slice(2)
const url = (await text(process.stdin)).trim()
const { database, pool, close } = openTestPool(url, 4)
const placeInBatch = createHoldBatcher({ database, pool })

/** One after the other both ways of placing a hold, each captured as a finished selfie is. */
async function spend(attempt: number): Promise<number> {
  const request = {
    userId,
    amount: 1,
    description: 'one of many',
    reference: `spend:${process.pid}:${attempt}`,
    now: new Date(),
  }
  const hold = await (attempt % 2 === 0 ? placeInBatch(request) : placeHold(database, request))
  if (hold.outcome !== 'held') return 0
  const before = await captureHold(database, { holdId: hold.holdId, now: new Date() })
  return before === 'held' || before === 'captured' ? 1 : 0
}

const spent = await Promise.all(Array.from({ length: Number(attemptsText) }, (_, i) => spend(i)))
await close()
process.stdout.write(String(spent.reduce((sum, one) => sum + one, 0)))
