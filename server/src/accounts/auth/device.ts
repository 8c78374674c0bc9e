import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkBlock } from '../../platform/http/network-address.ts'
import type { KeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import type { RandomBytes } from '../../platform/secrets/random-bytes.ts'

/**
 * A browser is recognised by a cookie of our own, set with a registration or a sign-in. It opens nothing. It
 * holds two random ids and our signature of them: one that stays, by which bonuses are counted, and one
 * that accounts know the browser by. An account that doesn't know it yet gives it a new one of those, so that
 * a cookie which somebody else put there makes nobody known. Only keyed digests are stored.
 */
const cookieName = 'device'
/** The longest that browsers keep a cookie: 400 days (RFC 6265bis, section 5.5). */
const cookieLifetimeSeconds = 400 * 24 * 60 * 60
/** A device that wasn't seen for so long can't be known by its cookie any more. */
export const deviceCookieLifetimeMs = cookieLifetimeSeconds * 1_000

/** What an account knows a browser by, and the cookie's text that holds it. */
export interface DeviceMark {
  hash: Buffer
  cookie: string
}

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

/** How devices are recognised on this installation. */
export interface DeviceOptions {
  digest: KeyedDigest
  sign: KeyedDigest
  randomBytes: RandomBytes
  isHttps: boolean
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
  { isHttps }: Pick<DeviceOptions, 'isHttps'>,
): void {
  const attributes = [
    `${nameOf(isHttps)}=${cookie}`,
    'Path=/',
    `Max-Age=${cookieLifetimeSeconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isHttps ? ['Secure'] : []),
  ]
  void reply.header('set-cookie', attributes.join('; '))
}

/** With the prefix, browsers take the cookie from this host alone (RFC 6265bis, section 4.1.3.2). */
function nameOf(isHttps: boolean): string {
  return isHttps ? `__Host-${cookieName}` : cookieName
}

/** The ids of a cookie that we signed. */
function readCookie(
  request: FastifyRequest,
  { sign, isHttps }: Pick<DeviceOptions, 'sign' | 'isHttps'>,
): { browserId: string; id: string } | undefined {
  const cookies = (request.headers.cookie ?? '').slice(0, 4_000)
  const pattern = new RegExp(
    `(?:^|;\\s*)${nameOf(isHttps)}=([\\w-]{22})\\.([\\w-]{22})\\.([\\w-]{43})(?:;|$)`,
  )
  const [, browserId, id, signature] = pattern.exec(cookies) ?? []
  if (browserId === undefined || id === undefined || signature === undefined) return undefined
  const expected = Buffer.from(sign(`${browserId}.${id}`).toString('base64url'))
  return timingSafeEqual(Buffer.from(signature), expected) ? { browserId, id } : undefined
}
