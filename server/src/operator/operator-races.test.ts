import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGuessLimits } from '../accounts/auth/guess-limits.ts'
import type { GuessLimits } from '../accounts/auth/guess-limits.ts'
import { hashPassword } from '../accounts/auth/password.ts'
import { hashToken } from '../accounts/auth/session.ts'
import type { Config } from '../config.ts'
import type { DatabaseHandle } from '../platform/db/database.ts'
import { createKeyedDigest } from '../platform/secrets/keyed-digest.ts'
import { deriveKeys } from '../platform/secrets/keys.ts'
import { newNetwork } from '../testing/new-network.ts'
import { openTestDatabase, openTestPool } from '../testing/open-test-database.ts'
import { untilWaiting } from '../testing/until-waiting.ts'
import {
  createOperatorToken,
  findOperator,
  openOperatorSession,
  revokeOperatorKeys,
} from './operator-sessions.ts'
import { changeOperator, resetOperator, setOperatorPassword } from './operators.ts'
import type { OperatorRole } from './roles.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  readWaitingSecret,
  removeSecondFactor,
  takeSecondFactor,
  totpCode,
} from './second-factor.ts'
import { signInOperator } from './sign-in.ts'

/*
 * What operators do at the same moment on two nodes, in the orders in which it can meet.
 */

const oldPassword = 'a long pass phrase'
const newPassword = 'another pass phrase'
const failuresMax = 3
const now = new Date('2027-03-01T12:00:00Z')
const keys = deriveKeys({ signing: 'signing', digest: 'digest', markKey: Buffer.alloc(32) })

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

const partsOf = ({ database }: Pick<DatabaseHandle, 'database'>) => ({
  database,
  clock: () => now,
  randomBytes,
  keys,
})

interface Someone {
  id: string
  name: string
}

async function openOperator(role: OperatorRole = 'support'): Promise<Someone> {
  return db.database
    .insertInto('operators')
    .values({ name: `${role}-${randomBytes(4).toString('hex')}`, role, password_hash: oldHash })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()
}

const sessionOf = async ({ id }: Someone) => {
  const secret = await openOperatorSession(partsOf(db), {
    by: 'operator',
    operatorId: id,
    passwordHash: oldHash,
    totpSecret: null,
  })
  const found = await findOperator(partsOf(db), { kind: 'session', secret: secret ?? '' })
  return found?.sessionId ?? ''
}

/** Signs in on one node; `meanwhile` happens once name and password, or token, were found right. */
function signInOld(
  credentials: { name: string; secret?: string },
  {
    meanwhile = async () => {},
    random = randomBytes,
  }: { meanwhile?: () => Promise<unknown>; random?: (size: number) => Buffer } = {},
) {
  const limits = openLimits()
  const oneAtATime: GuessLimits['oneAtATime'] = async (key, act) => {
    const judged = await limits.oneAtATime(key, act)
    await meanwhile()
    return judged
  }
  return signInOperator(
    {
      ...partsOf(db),
      config: {} as Config,
      guessLimits: { ...limits, oneAtATime },
      randomBytes: random,
    },
    {
      secret: oldPassword,
      code: '',
      address: `${newNetwork()}.1`,
      userAgent: 'a browser',
      device: undefined,
      ...credentials,
    },
  )
}

const openLimits = () =>
  createGuessLimits(db.pool, { failuresMax, digest: createKeyedDigest(keys.limits) })

const reset = ({ name }: Someone) =>
  resetOperator(otherNode.database, { name, password: newPassword })
const disable = ({ id }: Someone) =>
  changeOperator(otherNode.database, { operatorId: id, role: 'support', isDisabled: true, now })
const changePassword = async (someone: Someone, password = newPassword) =>
  setOperatorPassword(otherNode.database, {
    operatorId: someone.id,
    currentHash: oldHash,
    password,
    keptSessionId: crypto.randomUUID(),
  })

const stepNow = Math.floor(now.getTime() / 30_000)

/** Puts a second factor into use, and answers its secret and recovery codes. */
async function useSecondFactor({ id: operatorId }: Someone, keptSessionId?: string) {
  const parts = partsOf(otherNode)
  const secret = await beginSecondFactor(parts, { operatorId, currentHash: oldHash })
  // The code of a moment ago: that of now is left for whoever signs in.
  const code = totpCode(secret, stepNow - 1)
  const codes = await confirmSecondFactor(parts, {
    operatorId,
    currentHash: oldHash,
    code,
    keptSessionId: keptSessionId ?? crypto.randomUUID(),
  })
  return { secret, codes: codes ?? [] }
}

const keysOf = ({ id }: Someone) =>
  db.database.selectFrom('operator_keys').select('id').where('operator_id', '=', id).execute()

describe.each([
  ['a reset', reset],
  ['a new password', changePassword],
  ['a disabled account', disable],
  ['a second factor put into use', useSecondFactor],
] as const)('%s on another node', (_name, act: (someone: Someone) => Promise<unknown>) => {
  test('between the check of the old password and its session opens none', async () => {
    const someone = await openOperator()
    expect(await signInOld(someone, { meanwhile: () => act(someone) })).toBeUndefined()
    expect(await keysOf(someone)).toEqual([])
  })

  test('ends a session that is being written', async () => {
    const someone = await openOperator()
    const token = randomBytes(32)
    const held = await db.pool.connect()
    try {
      // The same key in a transaction that is open: the session's statement waits for its end.
      await held.query('begin')
      await held.query(
        `insert into operator_keys (token_hash, kind, name, created_at, expires_at)
         values ($1, 'token', 'a test', now(), now() + interval '1 day')`,
        [hashToken(token.toString('base64url'))],
      )
      const signingIn = signInOld(someone, { random: () => token })
      await untilWaiting(otherNode.pool, 1)
      const acting = act(someone)
      await untilWaiting(otherNode.pool, 2, acting)
      await held.query('rollback')
      await Promise.all([signingIn, acting])
      expect(await keysOf(someone)).toEqual([])
    } finally {
      await held.query('rollback')
      held.release()
    }
  })
})

test('a new password that is being written is waited for', async () => {
  const someone = await openOperator()
  const held = await db.pool.connect()
  try {
    await held.query('begin')
    await held.query('update operators set password_hash = $2 where id = $1', [
      someone.id,
      await hashPassword(newPassword),
    ])
    await held.query('delete from operator_keys where operator_id = $1', [someone.id])
    const signingIn = signInOld(someone)
    await untilWaiting(otherNode.pool, 1, signingIn)
    await held.query('commit')
    expect(await signingIn).toBeUndefined()
    expect(await keysOf(someone)).toEqual([])
  } finally {
    await held.query('rollback')
    held.release()
  }
})

test('a token that is revoked while it signs in opens nothing', async () => {
  const token = await createOperatorToken(partsOf(db), { name: 'Kim', lifetimeMs: 60_000 })
  const held = await db.pool.connect()
  try {
    // As revoking does it, up to its commit.
    await held.query('begin')
    await held.query('delete from operator_keys')
    const signingIn = signInOld({ name: '', secret: token })
    await untilWaiting(otherNode.pool, 1, signingIn)
    await held.query('commit')
    expect(await signingIn).toBeUndefined()
  } finally {
    await held.query('rollback')
    held.release()
  }
})

test('revoking everything ends a session that is being written', async () => {
  const token = await createOperatorToken(partsOf(db), { name: 'Kim', lifetimeMs: 60_000 })
  const secret = randomBytes(32)
  const held = await db.pool.connect()
  try {
    await held.query('begin')
    await held.query(
      `insert into operator_keys (token_hash, kind, name, created_at, expires_at)
       values ($1, 'token', 'a test', now(), now() + interval '1 day')`,
      [hashToken(secret.toString('base64url'))],
    )
    const signingIn = signInOld({ name: '', secret: token }, { random: () => secret })
    await untilWaiting(otherNode.pool, 1)
    const revoking = revokeOperatorKeys(otherNode.database)
    await untilWaiting(otherNode.pool, 2, revoking)
    await held.query('rollback')
    const session = await signingIn
    await revoking
    expect(
      await findOperator(partsOf(db), { kind: 'session', secret: session ?? '' }),
    ).toBeUndefined()
  } finally {
    await held.query('rollback')
    held.release()
  }
})

/** Begins all when each has read the rows, and none has written yet. */
async function atOnce<Result>(rows: string, acts: (() => Promise<Result>)[]): Promise<Result[]> {
  const held = await db.pool.connect()
  try {
    await held.query('begin')
    await held.query(`${rows} for update`)
    const acting = Promise.all(acts.map((act) => act()))
    await untilWaiting(otherNode.pool, acts.length)
    await held.query('commit')
    return await acting
  } finally {
    await held.query('rollback')
    held.release()
  }
}

test('two owners who demote each other in the same moment: one is told to be the last', async () => {
  await db.database.deleteFrom('operators').where('role', '=', 'owner').execute()
  const [one, other] = [await openOperator('owner'), await openOperator('owner')]
  const demote = (node: DatabaseHandle, { id }: Someone) =>
    changeOperator(node.database, { operatorId: id, role: 'support', isDisabled: false, now })
  const results = await atOnce('select from operators', [
    () => demote(db, one),
    () => demote(otherNode, other),
  ])
  expect(results.toSorted()).toEqual(['done', 'last_owner'])
})

test('a code that comes twice at once on two nodes is taken once', async () => {
  const someone = await openOperator()
  const { secret, codes } = await useSecondFactor(someone)
  const take = (node: DatabaseHandle, code: string) => () =>
    takeSecondFactor(partsOf(node), { operatorId: someone.id, code })
  for (const code of [totpCode(secret, stepNow), codes[0] ?? '']) {
    const results = await atOnce(
      `select from operators, operator_recovery_codes as code where code.operator_id = id`,
      [take(db, code), take(otherNode, code)],
    )
    expect(results.filter(Boolean)).toHaveLength(1)
  }
})

test('of two new passwords from the same old one, one is set', async () => {
  const someone = await openOperator()
  const results = await atOnce('select from operators', [
    () => changePassword(someone, 'the first pass phrase'),
    () => changePassword(someone, 'the second pass phrase'),
  ])
  expect(results.filter(Boolean)).toHaveLength(1)
})

test('a second factor is not begun with a password that has changed since', async () => {
  const someone = await openOperator()
  await changePassword(someone)
  const proof = { operatorId: someone.id, currentHash: oldHash }
  await beginSecondFactor(partsOf(db), proof)
  expect(await readWaitingSecret(partsOf(db), someone.id)).toBeUndefined()
})

test('a second factor is not removed with a password that has changed since', async () => {
  const someone = await openOperator()
  const { secret } = await useSecondFactor(someone)
  await changePassword(someone)
  const removed = await removeSecondFactor(db.database, {
    operatorId: someone.id,
    currentHash: oldHash,
  })
  expect(removed).toBe(false)
  const code = totpCode(secret, stepNow)
  expect(await takeSecondFactor(partsOf(db), { operatorId: someone.id, code })).toBe(true)
})

test('a second factor put into use ends the sessions that the password alone opened, but its own', async () => {
  const someone = await openOperator()
  const [own] = [await sessionOf(someone), await sessionOf(someone)]
  await useSecondFactor(someone, own)
  expect(await keysOf(someone)).toEqual([{ id: own }])
})

test('a second factor that is confirmed twice at once has the codes of one', async () => {
  const someone = await openOperator()
  const parts = partsOf(db)
  const secret = await beginSecondFactor(parts, { operatorId: someone.id, currentHash: oldHash })
  const confirm = (node: DatabaseHandle) => () =>
    confirmSecondFactor(partsOf(node), {
      operatorId: someone.id,
      currentHash: oldHash,
      code: totpCode(secret, stepNow),
      keptSessionId: crypto.randomUUID(),
    })
  const results = await atOnce('select from operators', [confirm(db), confirm(otherNode)])
  expect(results.filter((codes) => codes === undefined)).toHaveLength(1)
})

test('a guess is not judged before the one in front of it is counted', async () => {
  const someone = await openOperator()
  const limits = createGuessLimits(db.pool, {
    failuresMax: 1,
    digest: createKeyedDigest(keys.limits),
  })
  const [counting, counted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let judged = 0
  const guessLimits: GuessLimits = {
    ...limits,
    assertMayTry(guesser) {
      judged += 1
      return limits.assertMayTry(guesser)
    },
    async countFailure(guesser) {
      counting.resolve()
      await counted.promise
      await limits.countFailure(guesser)
    },
  }
  const guess = () =>
    signInOperator(
      { ...partsOf(db), config: {} as Config, guessLimits },
      {
        name: someone.name,
        secret: 'a guess',
        code: '',
        address: '',
        userAgent: '',
        device: undefined,
      },
    )
  const results = Promise.allSettled([guess(), guess()])
  await counting.promise
  // Whatever doesn't wait for the count goes on before this.
  await new Promise(setImmediate)
  expect(judged).toBe(1)
  counted.resolve()
  const settled = await results
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const refused = settled.filter((result) => result.status === 'rejected')
  expect(refused.map(({ reason }) => reason.code)).toEqual(['sign_in_limited'])
})
