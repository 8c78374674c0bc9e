import { verifyDecoy, verifyPassword } from '../accounts/auth/password.ts'
import type { OperatorParts } from './parts.ts'
import { findOperator, openOperatorSession, isCsrfToken } from './operator-sessions.ts'
import type { OperatorProof } from './operator-sessions.ts'
import { takeSecondFactor } from './second-factor.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { deleteRows, findRow } from '../platform/db/rows.ts'
import { parseInput } from '../platform/http/parse-input.ts'
import { OperatorError } from './operator-page.ts'
import { readOperatorCookie } from './cookies.ts'
import { sendSignIn } from './frame.ts'
import { findSignedIn } from './serve-operator-page.ts'
import type { PageParts } from './serve-operator-page.ts'
import { isSameText } from '../platform/secrets/is-same-text.ts'
import { createToken } from '../accounts/auth/session.ts'
import { createKeyedDigest } from '../platform/secrets/keyed-digest.ts'

type Parts = Pick<
  OperatorParts,
  'database' | 'clock' | 'randomBytes' | 'config' | 'guessLimits' | 'keys'
>

/** What somebody signs in with: a name with its password and code, or a token alone. */
export interface OperatorCredentials {
  /** Empty for a token and for the password of ADMIN_PASSWORD_HASH. */
  name: string
  secret: string
  /** Of the authenticator app, or a recovery code; empty where there is no second factor. */
  code: string
  address: string
  userAgent: string
  /** Of a browser in which this operator has signed in before; see `signDevice`. */
  device: string | undefined
}

/** What wrong passwords are counted under: no e-mail, as those are in lower case. */
const strangersAccount = 'Operator'

/**
 * Opens a session and answers its secret; undefined for wrong credentials, whichever. A
 * valid token always opens, uncounted: it can't be guessed. Passwords and codes are judged
 * one at a time for each name; throws `sign_in_limited` after too many wrong ones.
 */
export async function signInOperator(
  parts: Parts,
  credentials: OperatorCredentials,
): Promise<string | undefined> {
  const { secret } = credentials
  const isToken = (await findOperator(parts, { kind: 'token', secret })) !== undefined
  const proof = isToken
    ? { by: 'token' as const, token: secret }
    : await judgeGuess(parts, credentials)
  return proof === undefined ? undefined : openOperatorSession(parts, proof, credentials)
}

async function judgeGuess(
  parts: Parts,
  credentials: OperatorCredentials,
): Promise<OperatorProof | undefined> {
  const { guessLimits } = parts
  const { name, address, device } = credentials
  // Strangers' guesses are counted together, whatever names they try: each costs a hash. A known
  // browser has a count of its own, so that nobody is locked out by them.
  const trusted = device === undefined ? undefined : `${name} ${device}`
  const guesser = { account: strangersAccount, address, trusted }
  return guessLimits.oneAtATime(trusted ?? strangersAccount, async () => {
    await guessLimits.assertMayTry(guesser)
    const proof = await judgePassword(parts, credentials)
    if (proof === undefined) await guessLimits.countFailure(guesser)
    return proof
  })
}

async function judgePassword(
  parts: Parts,
  { name, secret, code }: OperatorCredentials,
): Promise<OperatorProof | undefined> {
  if (name === '') {
    const { adminPasswordHash: hash } = parts.config
    const isRight = hash !== undefined && (await verifyPassword(hash, secret))
    return isRight ? { by: 'common password' } : undefined
  }
  const row = await findRow(parts.database, 'operators', { name, disabled_at: null })
  if (row === undefined) {
    await verifyDecoy(secret)
    return undefined
  }
  if (!(await verifyPassword(row.password_hash, secret))) return undefined
  const totpSecret = row.totp_confirmed_at === null ? null : row.totp_secret
  const isSecond =
    totpSecret === null || (await takeSecondFactor(parts, { operatorId: row.id, code }))
  if (!isSecond) return undefined
  return { by: 'operator', operatorId: row.id, passwordHash: row.password_hash, totpSecret }
}

const signInFields = z.object({
  name: z.string().trim().toLowerCase().max(80).default(''),
  secret: z.string().trim().max(300),
  code: z.string().max(60).default(''),
})

/** An operator's way in and out, by forms that `operatorRoutes` reads. */
export async function signInRoutes(
  app: FastifyInstance,
  { context, cookies, look }: PageParts,
): Promise<void> {
  app.post('/admin/sign-in', async (request, reply) => {
    const input = parseInput(signInFields, fieldsOf(request))
    const { operatorDevices: key } = context.keys
    const knownDevice = readOperatorCookie(request, 'device') ?? ''
    const session = await signInOperator(context, {
      ...input,
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      device: readOperatorDevice(input.name, knownDevice, key),
    })
    if (session === undefined) {
      request.log.warn('a sign-in to the admin page failed')
      const text =
        input.name === ''
          ? 'This is neither the password nor a valid token.'
          : 'Name, password or code is wrong.'
      return sendSignIn(reply.status(401), look(), { text, name: input.name })
    }
    if (input.name !== '') {
      const id = createToken(context.randomBytes)
      cookies.write(reply, 'device', signDevice(input.name, id, key))
    }
    cookies.write(reply, 'session', session)
    return reply.redirect('/admin', 303)
  })

  app.post('/admin/sign-out', async (request, reply) => {
    const signedIn = await findSignedIn(context, request)
    if (signedIn === undefined) return reply.redirect('/admin', 303)
    if (!isCsrfToken(signedIn.secret, fieldsOf(request)['csrf'])) {
      throw new OperatorError(403, 'This form is out of date. Please go back and send it again.')
    }
    const { sessionId } = signedIn.operator
    await deleteRows(context.database, 'operator_keys', { id: sessionId })
    cookies.write(reply, 'session', '')
    return reply.redirect('/admin', 303)
  })
}

function fieldsOf(request: FastifyRequest): Record<string, string> {
  return request.body instanceof URLSearchParams ? Object.fromEntries(request.body) : {}
}

/**
 * Kept by the browser of an operator who has signed in: a random id, signed for that name. It opens nothing,
 * but its wrong passwords count apart (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 */
function signDevice(name: string, id: string, key: Buffer): string {
  const signature = createKeyedDigest(key)(JSON.stringify([name, id]))
  return `${id}.${signature.toString('base64url')}`
}

/** The id of such a text; undefined when it wasn't signed for this name. */
function readOperatorDevice(name: string, text: string, key: Buffer): string | undefined {
  const [id = ''] = text.split('.')
  return isSameText(signDevice(name, id, key), text) ? id : undefined
}
