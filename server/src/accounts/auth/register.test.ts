import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '../../testing/make-user.ts'
import { newDevice } from '../../testing/new-device.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { createReferralCode, registerUser } from './register.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(4)
})
afterAll(() => db[Symbol.asyncDispose]())

/** Registers somebody who draws these bytes for referral codes, one after the other. */
async function register(
  draws: Buffer[],
  {
    welcome = async () => [],
    email = `${crypto.randomUUID()}@example.org`,
  }: { welcome?: () => Promise<[]>; email?: string } = {},
) {
  let drawn = 0
  const { userId } = await registerUser(
    db.database,
    { email, password: 'correct horse', username: 'Someone', referralCode: undefined },
    {
      now: new Date(),
      randomBytes: (size) => {
        if (size !== 8) return randomBytes(size)
        drawn += 1
        return draws[Math.min(drawn, draws.length) - 1] ?? randomBytes(8)
      },
      origin: { address: '10.0.0.1', userAgent: 'a browser' },
      device: newDevice(),
      termsVersion: '1',
      language: 'en',
      welcome,
    },
  ).catch((error: unknown) => Promise.reject(Object.assign(error as Error, { drawn })))
  const { rows } = await db.pool.query<{ code: string }>(
    'select referral_code as code from users where id = $1',
    [userId],
  )
  return { code: rows[0]?.code, drawn }
}

async function takeCode(): Promise<Buffer> {
  const bytes = randomBytes(8)
  const userId = await makeUser(db.database)
  await db.pool.query('update users set referral_code = $2 where id = $1', [
    userId,
    createReferralCode(() => bytes),
  ])
  return bytes
}

test('a referral code that somebody has is drawn anew', async () => {
  const [taken, free] = [await takeCode(), randomBytes(8)]
  expect(await register([taken, taken, taken, taken, free])).toEqual({
    code: createReferralCode(() => free),
    drawn: 5,
  })
})

test('after five draws that are all taken it fails', async () => {
  const taken = await takeCode()
  await expect(register([taken])).rejects.toMatchObject({
    constraint: 'users_referral_code_unique',
    drawn: 5,
  })
})

test('what fails otherwise is not tried again, and leaves nobody behind', async () => {
  const email = `${crypto.randomUUID()}@example.org`
  const welcome = () => Promise.reject(new Error('no credits'))
  await expect(register([], { welcome, email })).rejects.toMatchObject({
    message: 'no credits',
    drawn: 1,
  })
  const { rowCount } = await db.pool.query('select from users where email = $1', [email])
  expect(rowCount).toBe(0)
  await register([], { email })
  await expect(register([], { email })).rejects.toMatchObject({ code: 'email_taken', drawn: 1 })
})
