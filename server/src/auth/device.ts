import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkBlock } from '../http/network-address.ts'
import type { KeyedDigest } from '../secrets/keyed-digest.ts'
import type { RandomBytes } from '../secrets/random-bytes.ts'

/**
 * A browser is recognised by a random cookie of our own. It is first set with a registration
 * or a sign-in, says nothing about the person and opens nothing; only keyed digests are stored.
 */
const cookieName = 'device'
/** The longest that browsers keep a cookie: 400 days (RFC 6265bis, section 5.5). */
const cookieLifetimeSeconds = 400 * 24 * 60 * 60
/** A device that wasn't seen for so long can't be known by its cookie any more. */
export const deviceCookieLifetimeMs = cookieLifetimeSeconds * 1_000

/** A device, and the digests under which it may be known to us. */
export interface Device {
  /** Digest of the cookie. */
  hash: Buffer
  /** Digest of program and network, for clients that keep no cookies. */
  fallbackHash: Buffer
}

/** How devices are recognised on this installation. */
export interface DeviceOptions {
  digest: KeyedDigest
  randomBytes: RandomBytes
  isHttps: boolean
}

/** Reads the request's device, and gives the browser a cookie for the next time. */
export function recogniseDevice(
  request: FastifyRequest,
  reply: FastifyReply,
  options: DeviceOptions,
): Device {
  const id = readDeviceId(request) ?? options.randomBytes(16).toString('base64url')
  const attributes = [
    `${cookieName}=${id}`,
    'Path=/api',
    `Max-Age=${cookieLifetimeSeconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(options.isHttps ? ['Secure'] : []),
  ]
  void reply.header('set-cookie', attributes.join('; '))
  const agent = request.headers['user-agent'] ?? ''
  return {
    hash: options.digest(`cookie ${id}`),
    fallbackHash: options.digest(`program ${agent} ${networkBlock(request.ip)}`),
  }
}

function readDeviceId(request: FastifyRequest): string | undefined {
  const cookies = (request.headers.cookie ?? '').slice(0, 4_000)
  return /(?:^|;\s*)device=([\w-]{22})(?:;|$)/.exec(cookies)?.[1]
}
