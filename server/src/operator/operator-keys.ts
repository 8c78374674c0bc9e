import { verifyPassword } from '../auth/password.ts'
import { createToken, hashToken } from '../auth/token.ts'
import type { Context } from '../context.ts'
import type { RandomBytes } from '../random-bytes.ts'
import type { Database } from '../db/database.ts'

/** What the operator's wrong passwords are counted under: no e-mail, as those are in lower case. */
const operatorAccount = 'Operator'

export const operatorSessionMs = 12 * 60 * 60_000

/** Whoever is signed in to the operator's pages. */
export interface Operator {
  name: string
}

/** Makes a key and gives its secret, which only the caller ever sees. */
export async function createOperatorKey(
  parts: { database: Database; clock: () => Date; randomBytes: RandomBytes },
  options: { kind: 'token' | 'session'; name: string; lifetimeMs: number },
): Promise<string> {
  const secret = createToken(parts.randomBytes)
  const now = parts.clock()
  await parts.database.deleteFrom('operator_keys').where('expires_at', '<=', now).execute()
  await parts.database
    .insertInto('operator_keys')
    .values({
      token_hash: hashToken(secret),
      kind: options.kind,
      name: options.name,
      created_at: now,
      expires_at: new Date(now.getTime() + options.lifetimeMs),
    })
    .execute()
  return secret
}

/** The holder of a key of that kind; undefined for anything else, also for a user's token. */
export async function findOperator(
  parts: Pick<Context, 'database' | 'clock'>,
  options: { kind: 'token' | 'session'; secret: string },
): Promise<Operator | undefined> {
  return parts.database
    .selectFrom('operator_keys')
    .select('name')
    .where('token_hash', '=', hashToken(options.secret))
    .where('kind', '=', options.kind)
    .where('expires_at', '>', parts.clock())
    .executeTakeFirst()
}

/**
 * Opens a session for an operator's token or for the password of ADMIN_PASSWORD_HASH; undefined for
 * anything else. A valid token always opens: it can't be guessed, so nothing is counted before it is
 * looked up. Passwords are judged one at a time; throws `sign_in_limited` after too many wrong ones.
 */
export async function signInOperator(
  context: Pick<Context, 'database' | 'clock' | 'randomBytes' | 'config' | 'guessLimits'>,
  { secret, address }: { secret: string; address: string },
): Promise<string | undefined> {
  const holder =
    (await findOperator(context, { kind: 'token', secret })) ??
    (await judgePassword(context, { secret, address }))
  if (holder === undefined) return undefined
  const { name } = holder
  return createOperatorKey(context, { kind: 'session', name, lifetimeMs: operatorSessionMs })
}

async function judgePassword(
  { config, guessLimits }: Pick<Context, 'config' | 'guessLimits'>,
  { secret, address }: { secret: string; address: string },
): Promise<Operator | undefined> {
  const passwordHash = config.adminPasswordHash
  const guesser = { account: operatorAccount, address }
  return guessLimits.oneAtATime(guesser.account, async () => {
    await guessLimits.assertMayTry(guesser)
    if (passwordHash !== undefined && (await verifyPassword(passwordHash, secret))) {
      return { name: 'operator' }
    }
    await guessLimits.countFailure(guesser)
    return undefined
  })
}

export async function signOutOperator(
  { database }: Pick<Context, 'database'>,
  secret: string,
): Promise<void> {
  await database.deleteFrom('operator_keys').where('token_hash', '=', hashToken(secret)).execute()
}
