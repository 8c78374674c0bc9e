import { expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/database.ts'
import { makeUser } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { readAccount } from './account.ts'
import { correctBalance, takeBackCredits } from './correct.ts'
import { grantCredits } from './grant.ts'
import { placeHold } from './hold.ts'

const nothing = { description: 'test', now: new Date() }
const reference = () => `test:${crypto.randomUUID()}`

test('no act of the books takes an amount that is no whole number or out of its range', async () => {
  await using handle = await openTestDatabase(2)
  const { database } = handle
  const userId = await makeUser(database, 5)
  const acts = {
    hold: (amount: number) =>
      placeHold(database, {
        userId,
        amount,
        celebrity: undefined,
        reference: reference(),
        ...nothing,
      }),
    grant: (amount: number) =>
      inTransaction(database, (transaction) =>
        grantCredits(transaction, {
          userId,
          amount,
          reason: 'referral',
          reference: reference(),
          ...nothing,
        }),
      ),
    takeBack: (amount: number) =>
      inTransaction(database, (transaction) =>
        takeBackCredits(transaction, { userId, amount, reference: reference(), ...nothing }),
      ),
    correct: (amount: number) =>
      correctBalance(database, { userId, amount, reference: reference(), ...nothing }),
  }
  const refused: [keyof typeof acts, readonly number[]][] = [
    ['hold', [0, -1, 1.5, 101, Number.NaN]],
    ['grant', [0, -1, 1.5, Number.NaN]],
    ['takeBack', [0, -1, 1.5, Number.NaN]],
    ['correct', [0, 1.5, Number.NaN]],
  ]
  for (const [act, amounts] of refused) {
    for (const amount of amounts) {
      await expect(acts[act](amount), `${act} of ${amount}`).rejects.toThrow(RangeError)
    }
  }
  expect((await readAccount(database, userId)).balance).toBe(5)

  for (const act of ['hold', 'grant', 'takeBack', 'correct'] as const) await acts[act](1)
  expect((await readAccount(database, userId)).balance).toBe(5)
})
