import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { changePassword } from './change-password.ts'
import { hashPassword, verifyPassword } from './password.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(2)
})
afterAll(() => db[Symbol.asyncDispose]())

async function openPerson() {
  const userId = await makeUser(db.database)
  await db.pool.query('update users set password_hash = $2 where id = $1', [
    userId,
    await hashPassword('correct horse'),
  ])
  return userId
}
async function hasPassword(userId: string, password: string): Promise<boolean> {
  const { rows } = await db.pool.query<{ hash: string }>(
    'select password_hash as hash from users where id = $1',
    [userId],
  )
  return verifyPassword(rows[0]?.hash ?? '', password)
}
const change = (userId: string, currentPassword: string, newPassword: string) =>
  changePassword(
    db.database,
    { userId, currentPassword, newPassword },
    { now: new Date(), randomBytes, origin: { address: '10.0.0.1', userAgent: 'a browser' } },
  )

test('a password is changed by who knows it, for that account alone', async () => {
  const [userId, other] = [await openPerson(), await openPerson()]
  await expect(change(userId, 'wrong', 'another one')).rejects.toMatchObject({
    code: 'password_wrong',
  })
  expect(await hasPassword(userId, 'correct horse')).toBe(true)
  expect((await change(userId, 'correct horse', 'another one')).token).toMatch(/^[\w-]{43}$/)
  expect(await hasPassword(userId, 'another one')).toBe(true)
  expect(await hasPassword(other, 'correct horse')).toBe(true)
})

test('a new password that is too short or too long is refused, whatever the old one is', async () => {
  const userId = await openPerson()
  for (const [password, code] of [
    ['12345', 'password_too_short'],
    ['x'.repeat(257), 'password_too_long'],
  ] as const) {
    await expect(change(userId, 'correct horse', password)).rejects.toMatchObject({ code })
  }
  expect(await hasPassword(userId, 'correct horse')).toBe(true)
})
