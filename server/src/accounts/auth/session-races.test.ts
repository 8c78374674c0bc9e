import { hash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../platform/db/database.ts'
import { setSuspension } from '../../trust/reports/suspend-user.ts'
import { makeUser } from '../../testing/make-user.ts'
import { newDevice } from '../../testing/new-device.ts'
import { newNetwork } from '../../testing/new-network.ts'
import { openTestDatabase, openTestPool } from '../../testing/open-test-database.ts'
import { untilWaiting } from '../../testing/until-waiting.ts'
import { deleteAccount } from '../../trust/user/delete-account.ts'
import { changePassword, resetPassword } from './change-password.ts'
import { createGuessLimits } from './guess-limits.ts'
import type { GuessLimits } from './guess-limits.ts'
import { hashPassword } from './password.ts'
import { signIn } from './sign-in.ts'
import { hashToken } from './session.ts'

/*
 * Whoever knows the old password and signs in again and again, while the password changes on another
 * node: each order in which the two can meet.
 */

const oldPassword = 'correct horse'
const newPassword = 'another one'
const origin = { address: `${newNetwork()}.1`, userAgent: 'a browser' }

let db: Awaited<ReturnType<typeof openTestDatabase>>
/** Connections of its own on the same database. */
let otherNode: DatabaseHandle
let oldHash: string
beforeAll(async () => {
  db = await openTestDatabase(8)
  otherNode = openTestPool(db.url, 8)
  oldHash = await hashPassword(oldPassword)
})
afterAll(async () => {
  await otherNode.close()
  await db[Symbol.asyncDispose]()
})

interface Person {
  userId: string
  email: string
}

async function openPerson(): Promise<Person> {
  const userId = await makeUser(db.database)
  const email = `${crypto.randomUUID()}@example.org`
  await db.database
    .updateTable('users')
    .set({ email, password_hash: oldHash })
    .where('id', '=', userId)
    .execute()
  return { userId, email }
}

/** Signs in with the old password; `meanwhile` happens once that was found right. */
function signInOld(
  { email }: Person,
  {
    meanwhile = async () => {},
    random = randomBytes,
  }: { meanwhile?: () => Promise<unknown>; random?: (size: number) => Buffer } = {},
) {
  const limits = createGuessLimits(db.pool, {
    failuresMax: 3,
    digest: (text) => hash('sha256', text, 'buffer'),
  })
  const amongTries: GuessLimits['amongTries'] = async (address, act) => {
    const judged = await limits.amongTries(address, act)
    await meanwhile()
    return judged
  }
  return signIn(
    db,
    { email, password: oldPassword },
    {
      now: new Date(),
      randomBytes: random,
      origin,
      device: newDevice(),
      limits: { ...limits, amongTries },
      hasProof: false,
      language: 'en',
    },
  )
}

async function mailedLink({ userId }: Person): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.database
    .insertInto('password_resets')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      created_at: new Date(),
      expires_at: new Date(Date.now() + 60_000),
      used_at: null,
    })
    .execute()
  return token
}

const reset = async (person: Person) => {
  const token = await mailedLink(person)
  await resetPassword(otherNode.database, { token, password: newPassword }, { now: new Date() })
}
const change = ({ userId }: Person, to = newPassword) =>
  changePassword(
    otherNode.database,
    { userId, currentPassword: oldPassword, newPassword: to },
    { now: new Date(), randomBytes, origin },
  )
const suspend = ({ email }: Person) =>
  setSuspension(
    { database: otherNode.database, clock: () => new Date() },
    { email, suspended: true, reason: 'a test' },
  )

const tokensOf = async ({ userId }: Person) =>
  (
    await db.database
      .selectFrom('sessions')
      .select('token_hash')
      .where('user_id', '=', userId)
      .execute()
  ).map((row) => row.token_hash.toString('hex'))
const devicesOf = async ({ userId }: Person) =>
  db.database.selectFrom('user_devices').selectAll().where('user_id', '=', userId).execute()

describe.each([
  ['a reset', reset, 0],
  ['a change', change, 1],
] as const)('%s of the password on another node', (_name, act, ownSessions) => {
  test('between the check of the old one and its session opens none', async () => {
    const person = await openPerson()
    await expect(signInOld(person, { meanwhile: () => act(person) })).rejects.toMatchObject({
      code: 'credentials_wrong',
    })
    expect(await tokensOf(person)).toHaveLength(ownSessions)
    // Nor is the browser known for it.
    expect(await devicesOf(person)).toEqual([])
  })

  test('that is under way is waited for', async () => {
    const person = await openPerson()
    const held = await db.pool.connect()
    try {
      // As the change does it, up to its commit.
      await held.query('begin')
      await held.query('update users set password_hash = $2 where id = $1', [
        person.userId,
        await hashPassword(newPassword),
      ])
      await held.query('delete from sessions where user_id = $1', [person.userId])
      const signingIn = signInOld(person)
      await untilWaiting(otherNode.pool, 1, signingIn)
      await held.query('commit')
      await expect(signingIn).rejects.toMatchObject({ code: 'credentials_wrong' })
      expect(await tokensOf(person)).toEqual([])
    } finally {
      await held.query('rollback')
      held.release()
    }
  })

  test('ends a session that is being written', async () => {
    const person = await openPerson()
    const token = randomBytes(32)
    const tokenHash = hashToken(token.toString('base64url'))
    const held = await db.pool.connect()
    try {
      // The same token in a transaction that is open: the session's statement waits for its end.
      await held.query('begin')
      await held.query(
        `insert into sessions (token_hash, user_id, created_at, expires_at, address, user_agent)
         values ($1, $2, now(), now() + interval '1 day', '', '')`,
        [tokenHash, await makeUser(db.database)],
      )
      const signingIn = signInOld(person, { random: () => token })
      await untilWaiting(otherNode.pool, 1)
      const changing = act(person)
      await untilWaiting(otherNode.pool, 2, changing)
      await held.query('rollback')
      await signingIn
      await changing
      expect(await tokensOf(person)).toHaveLength(ownSessions)
      expect(await tokensOf(person)).not.toContain(tokenHash.toString('hex'))
    } finally {
      await held.query('rollback')
      held.release()
    }
  })
})

test('a suspension between the check and the session opens none', async () => {
  const person = await openPerson()
  await expect(signInOld(person, { meanwhile: () => suspend(person) })).rejects.toMatchObject({
    code: 'account_suspended',
  })
  expect(await tokensOf(person)).toEqual([])
})

test('an account deleted between the check and the session is unknown', async () => {
  const person = await openPerson()
  const { database } = otherNode
  const meanwhile = () => database.deleteFrom('users').where('id', '=', person.userId).execute()
  await expect(signInOld(person, { meanwhile })).rejects.toMatchObject({
    code: 'credentials_wrong',
  })
})

/** Begins both when each has found the old password right, and neither has written yet. */
async function atOnce<Result>({ userId }: Person, acts: (() => Promise<Result>)[]) {
  const held = await db.pool.connect()
  try {
    await held.query('begin')
    await held.query('select from users where id = $1 for no key update', [userId])
    const settled = Promise.allSettled(acts.map((act) => act()))
    await untilWaiting(otherNode.pool, acts.length)
    await held.query('commit')
    return await settled
  } finally {
    await held.query('rollback')
    held.release()
  }
}

test('of two changes from the same old password one is done, and the other says that it is wrong', async () => {
  const person = await openPerson()
  const results = await atOnce(person, [
    () => change(person, 'the first'),
    () => change(person, 'the second'),
  ])
  const done = results.filter(({ status }) => status === 'fulfilled')
  const refused = results.filter((result) => result.status === 'rejected')
  expect(done).toHaveLength(1)
  expect(refused.map(({ reason }) => reason.code)).toEqual(['password_wrong'])
  expect(await tokensOf(person)).toHaveLength(1)
})

test('two mailed links that are used at once set one password', async () => {
  const person = await openPerson()
  const links = [await mailedLink(person), await mailedLink(person)]
  const results = await atOnce(
    person,
    links.map(
      (token) => () =>
        resetPassword(otherNode.database, { token, password: newPassword }, { now: new Date() }),
    ),
  )
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused.map(({ reason }) => reason.code)).toEqual(['reset_token_invalid'])
})

test('a suspension while the password changes leaves the old one and opens no session', async () => {
  const person = await openPerson()
  const held = await db.pool.connect()
  try {
    await held.query('begin')
    await held.query(`update users set status = 'suspended' where id = $1`, [person.userId])
    const changing = change(person)
    await untilWaiting(otherNode.pool, 1, changing)
    await held.query('commit')
    await expect(changing).rejects.toMatchObject({ code: 'account_suspended' })
  } finally {
    await held.query('rollback')
    held.release()
  }
  expect(await tokensOf(person)).toEqual([])
})

test('an account is not deleted with a password that has changed since it was found right', async () => {
  const person = await openPerson()
  await change(person)
  const parts = { database: db.database, store: { delete: async () => {} } as never }
  expect(await deleteAccount(parts, person.userId, { passwordHash: oldHash })).toBe(false)
  expect(await tokensOf(person)).toHaveLength(1)
})
