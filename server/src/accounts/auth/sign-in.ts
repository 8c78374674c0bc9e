import type { Language } from '@starside/contract/languages.ts'
import type { Selectable } from 'kysely'
import type pg from 'pg'
import type { DatabaseHandle } from '../../platform/db/database.ts'
import type { UsersTable } from '../../platform/db/tables.d.ts'
import { findRow } from '../../platform/db/rows.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { sendInBackground } from '../../platform/mail/mailer.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { writeMail } from '../../platform/messages/write-mail.ts'
import type { FailureCount, FailureKeys, Guesser, GuessLimits } from './guess-limits.ts'
import { normaliseEmail } from './mailbox.ts'
import { verifyDecoy, verifyPassword } from './password.ts'
import { deviceNoteIntervalMs, rememberDevice } from './device.ts'
import type { Device } from './device.ts'
import { openSession } from './session.ts'
import type { SessionOpening, SessionOrigin } from './session.ts'

/**
 * Opens a session; unknown e-mail and wrong password get the same answer in the same time.
 * Throws `credentials_wrong`, `sign_in_limited`, `proof_required` or `account_suspended`.
 */
export async function signIn(
  { pool, database }: Pick<DatabaseHandle, 'pool' | 'database'>,
  input: { email: string; password: string },
  options: SessionOpening & {
    device: Device
    limits: GuessLimits
    /** Whether the caller's browser has proved its work, which opens a limited address. */
    hasProof: boolean
    /** Of this request, which the mails to them follow from now on. */
    language: Language
  },
) {
  const email = normaliseEmail(input.email)
  const { now, device, limits, hasProof } = options
  const { address } = options.origin
  const stranger: Guesser = { account: email, address }
  const owner: Guesser =
    device.shown === undefined
      ? stranger
      : { ...stranger, trusted: `device ${device.shown.hash.toString('base64url')}` }
  // A hundred guesses sent at once must not all be judged before the first is counted.
  const judge = async (tries: number) => {
    const read = await readCredentials(pool, email, {
      device,
      now,
      keys: [limits.failureKeys(stranger), limits.failureKeys(owner)],
    })
    const guesser = read.isDeviceKnown ? owner : stranger
    const keys = limits.failureKeys(guesser)
    const { hasFailed } = limits.judgeFailures(keys, read.failures, { tries, hasProof })
    const isRight =
      read.user === undefined
        ? await verifyDecoy(input.password)
        : await verifyPassword(read.user.password_hash, input.password)
    if (read.user !== undefined && isRight) return { ...read, user: read.user, guesser, hasFailed }
    await limits.countFailure(guesser)
    throw new AppError('credentials_wrong')
  }
  const { user, guesser, hasFailed, isDeviceKnown, isDeviceNoted } = await limits.oneAtATime(
    email,
    () => limits.amongTries(address, judge),
  )
  const { id: userId, password_hash: passwordHash } = user
  const token = await openSession(database, { ...options, userId, passwordHash })
  if (token === undefined) {
    const found = await findRow(database, 'users', { id: userId })
    throw new AppError(found?.status === 'suspended' ? 'account_suspended' : 'credentials_wrong')
  }
  const { language } = options
  const deviceMark = (isDeviceKnown ? device.shown : undefined) ?? device.fresh
  const hashes = [deviceMark.hash, device.fallbackHash] as const
  const [isNewDevice] = await Promise.all([
    isDeviceNoted ? false : rememberDevice(database, { userId, hashes, now }),
    user.language === language
      ? undefined
      : database.updateTable('users').set({ language }).where('id', '=', userId).execute(),
    hasFailed ? limits.forgetFailures(guesser) : undefined,
  ])
  return {
    token,
    user: { userId, email: user.email, username: user.username },
    language,
    /** True when the person had never signed in from this device. */
    isNewDevice,
    /** What the account knows the device by from now on. */
    deviceMark,
  }
}

type Credentials = Pick<
  Selectable<UsersTable>,
  'id' | 'email' | 'username' | 'password_hash' | 'language'
>

/** The user with this e-mail, what is noted of the device, and the failed sign-ins so far. */
async function readCredentials(
  pool: pg.Pool,
  email: string,
  { device, now, keys }: { device: Device; now: Date; keys: [FailureKeys, FailureKeys] },
) {
  const { rows } = await pool.query<{
    failures: FailureCount[]
    user: Credentials | null
    isDeviceKnown: boolean
    isDeviceNoted: boolean
  }>({
    name: 'read-credentials',
    text: `
      with noted as (
        select device_hash, last_seen_at from user_devices
        where user_id = (select id from users where email = $1) and device_hash = any ($3)
      )
      select
        (
          select coalesce(json_agg(json_build_object('key', key, 'points', points, 'expire', expire)), '[]')
          from rate_limits where key = any ($2)
        ) as failures,
        (
          select json_build_object('id', id, 'email', email, 'username', username,
            'password_hash', password_hash, 'language', language)
          from users where email = $1
        ) as user,
        exists (select from noted where device_hash = $3[1]) as "isDeviceKnown",
        (select count(*) from noted where last_seen_at > $4) = 2 as "isDeviceNoted"`,
    values: [
      email,
      keys.flatMap((key) => Object.values(key)).filter(Boolean),
      [device.shown?.hash, device.fallbackHash],
      new Date(now.getTime() - deviceNoteIntervalMs),
    ],
  })
  const { failures = [], user, isDeviceKnown = false, isDeviceNoted = false } = rows[0] ?? {}
  return { failures, user: user ?? undefined, isDeviceKnown, isDeviceNoted }
}

/** Tells a person by mail that somebody signed in to their account from a device not seen before. */
export function alertSignIn(
  mailer: Mailer,
  user: { email: string; language: Language },
  about: { origin: SessionOrigin; now: Date; publicUrl: string; siteName: string },
): void {
  const { origin, now, publicUrl, siteName } = about
  // The program's own words about itself are a stranger's; they get one line, and no link.
  const agent =
    origin.userAgent.replaceAll(/\p{C}+|(?<=\p{L})\.(?=\p{L})/gu, ' ').trim() || 'unknown'
  sendInBackground(mailer, {
    to: user.email,
    ...writeMail(user.language, 'newSignIn', {
      site: siteName,
      time: now.toUTCString(),
      address: origin.address,
      program: agent,
      link: `${publicUrl}/auth?mode=forgot`,
    }),
  })
}
