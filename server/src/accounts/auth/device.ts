import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { createHostCookie } from '../../platform/http/host-cookie.ts'
import { networkBlock } from '../../platform/http/network-address.ts'
import { isSameText } from '../../platform/secrets/is-same-text.ts'
import { createKeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import type { Queryable } from '../../platform/db/database.ts'
import type { AccountParts } from '../parts.ts'

/**
 * A browser is recognised by a cookie of our own, set with a registration or a sign-in. It opens nothing. It
 * holds two random ids and our signature of them: one that stays, by which bonuses are counted, and one
 * that accounts know the browser by. An account that doesn't know it yet gives it a new one of those, so that
 * a cookie which somebody else put there makes nobody known. Only keyed digests are stored.
 */
/** The longest that browsers keep a cookie: 400 days (RFC 6265bis, section 5.5). */
const cookieLifetimeSeconds = 400 * 24 * 60 * 60
/** A device that wasn't seen for so long can't be known by its cookie any more. */
export const deviceCookieLifetimeMs = cookieLifetimeSeconds * 1_000

/** What an account knows a browser by, and the cookie's text that holds it. */
export type DeviceMark = { hash: Buffer; cookie: string }

/** A device, and the digests under which it may be known to us. */
export interface Device {
  /** Digest of what stays the same in this browser, whoever signs in. */
  browserHash: Buffer
  /** What the browser brought along; undefined without a cookie of ours. */
  shown: DeviceMark | undefined
  /** What it is given by an account that doesn't know it. */
  fresh: DeviceMark
  /** Digest of program and network, for clients that keep no cookies. */
  fallbackHash: Buffer
}

export type DeviceOptions = ReturnType<typeof deviceOptionsOf>

/** How devices are recognised on this installation. */
export function deviceOptionsOf(parts: Pick<AccountParts, 'config' | 'keys' | 'randomBytes'>) {
  return {
    digest: createKeyedDigest(parts.keys.devices),
    sign: createKeyedDigest(parts.keys.deviceCookies),
    randomBytes: parts.randomBytes,
    publicUrl: parts.config.publicUrl,
  }
}

/** Reads the device that a request comes from. */
export function recogniseDevice(request: FastifyRequest, options: DeviceOptions): Device {
  const { digest, sign, randomBytes } = options
  const createId = () => randomBytes(16).toString('base64url')
  const shown = readCookie(request, options)
  const browserId = shown?.browserId ?? createId()
  const markOf = (id: string): DeviceMark => {
    const ids = `${browserId}.${id}`
    return { hash: digest(`cookie ${id}`), cookie: `${ids}.${sign(ids).toString('base64url')}` }
  }
  const agent = request.headers['user-agent'] ?? ''
  return {
    browserHash: digest(`browser ${browserId}`),
    shown: shown && markOf(shown.id),
    fresh: markOf(createId()),
    fallbackHash: digest(`program ${agent} ${networkBlock(request.ip)}`),
  }
}

/** Gives the browser the cookie by which it is recognised the next time. */
export function setDeviceCookie(
  reply: FastifyReply,
  { cookie }: DeviceMark,
  options: Pick<DeviceOptions, 'publicUrl'>,
): void {
  deviceCookie(options).set(reply, cookie, cookieLifetimeSeconds)
}

const deviceCookie = (options: Pick<DeviceOptions, 'publicUrl'>) =>
  createHostCookie('device', options, 'Lax')

/** The ids of a cookie that we signed. */
function readCookie(
  request: FastifyRequest,
  { sign, publicUrl }: Pick<DeviceOptions, 'sign' | 'publicUrl'>,
): { browserId: string; id: string } | undefined {
  const value = deviceCookie({ publicUrl }).read(request) ?? ''
  const [, browserId, id, signature] = /^([\w-]{22})\.([\w-]{22})\.([\w-]{43})$/.exec(value) ?? []
  if (browserId === undefined || id === undefined) return undefined
  const expected = sign(`${browserId}.${id}`).toString('base64url')
  return isSameText(expected, signature) ? { browserId, id } : undefined
}

/** A device is written down when it is new, and then once a day. */
export const deviceNoteIntervalMs = 24 * 60 * 60_000

/** Notes both digests of a device (cookie; program and network), daily; true where both are new. */
export async function rememberDevice(
  database: Queryable,
  { userId, hashes, now }: { userId: string; hashes: readonly [Buffer, Buffer]; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    with device as (
      select unnest(${hashes}::bytea[]) as device_hash
    ),
    -- Sees the table as it was before this statement.
    known as materialized (
      select user_devices.device_hash from device join user_devices using (device_hash)
      where user_id = ${userId}
    ),
    noted as (
      insert into user_devices as seen (user_id, device_hash, first_seen_at, last_seen_at)
      select ${userId}, device_hash, ${now}, ${now} from device
      on conflict on constraint user_devices_known_once
      do update set last_seen_at = excluded.last_seen_at
      where seen.last_seen_at <= ${new Date(now.getTime() - deviceNoteIntervalMs)}
    )
    select not exists (select from known) as "isNew"`.execute(database)
  return rows[0]?.isNew ?? true
}
