import { isIP } from 'node:net'
import { sniffFormat } from '@starside/engine/photo/sniff-format.ts'
import ipaddr from 'ipaddr.js'
import { BodyTooLargeError, readBounded } from '../platform/http/read-bounded.ts'
import { HostedError } from './hosted-error.ts'

/** Bytes of a vendor's picture at most: a 4K PNG has about 20 MB. */
const pictureBytesMax = 32 * 1024 * 1024
const timeoutMs = 60_000
const redirectsMax = 3

export interface DownloadRules {
  /** Host names over https; `*.` in front takes every host below it. */
  hosts: readonly string[]
  /** Origins that the operator has set, taken as they are, also over http and in a private net. */
  origins: readonly string[]
}

export interface DownloadParts {
  fetch: typeof globalThis.fetch
  /** Resolves a host name to all its IP addresses. */
  resolveHost: (host: string) => Promise<string[]>
}

/**
 * Fetches a picture from an address that a vendor named. The address and that of every redirect
 * must be on an allowed host which resolves to public addresses only; the body is bounded in bytes
 * and time, and must begin like a JPEG, PNG, WebP or AVIF, whatever its declared type.
 * @throws HostedError `unknown` for what is not allowed, `provider_down` or `timeout` for a broken
 *   connection, which may be tried again
 */
export async function downloadPicture(
  parts: DownloadParts,
  url: string,
  { rules, signal }: { rules: DownloadRules; signal: AbortSignal },
): Promise<Uint8Array> {
  if (url.startsWith('data:')) return readDataUrl(url)
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await followRedirects(parts, url, {
      rules,
      signal: AbortSignal.any([signal, timeout]),
    })
    return checkPicture(await readBounded(response, pictureBytesMax))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof HostedError) throw error
    if (error instanceof BodyTooLargeError) {
      throw unusable(`the picture is too large: ${error.message}`)
    }
    const kind = timeout.aborted ? 'timeout' : 'provider_down'
    throw new HostedError(kind, 'the picture could not be fetched', { cause: error })
  }
}

async function followRedirects(
  parts: DownloadParts,
  first: string,
  options: { rules: DownloadRules; signal: AbortSignal },
): Promise<Response> {
  let url = first
  for (let hop = 0; hop <= redirectsMax; hop += 1) {
    await assertAllowed(parts, url, options.rules)
    const response = await parts.fetch(url, { redirect: 'manual', signal: options.signal })
    if (response.status === 200) return response
    await response.body?.cancel().catch(() => {})
    const location = response.headers.get('location')
    const { status } = response
    if (status < 300 || status > 399 || location === null) {
      const isTransient = status >= 500 || status === 408 || status === 429
      const kind = isTransient ? 'provider_down' : 'unknown'
      throw new HostedError(kind, `the picture answers ${status}`)
    }
    url = URL.parse(location, url)?.href ?? ''
  }
  throw unusable(`the picture’s address redirects more than ${redirectsMax} times`)
}

/** What is not allowed, or no picture. */
function unusable(detail: string): HostedError {
  return new HostedError('unknown', detail)
}

async function assertAllowed({ resolveHost }: DownloadParts, text: string, rules: DownloadRules) {
  const url = URL.parse(text)
  if (url === null) throw unusable('the picture has no proper address')
  if (rules.origins.includes(url.origin)) return
  const { hostname: host } = url
  const isKnown = rules.hosts.some((allowed) =>
    allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed,
  )
  if (url.protocol !== 'https:' || url.port !== '' || !isKnown || url.username !== '') {
    throw unusable(`the picture is at an address that is not allowed: ${host}`)
  }
  const addresses = await resolveHost(host)
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) {
    throw unusable(`the picture’s host ${host} is at a private address`)
  }
}

function readDataUrl(url: string): Uint8Array {
  const [head] = /^data:image\/[\w.+-]+;base64,/.exec(url) ?? []
  if (head === undefined) throw unusable('the picture’s data address is not a picture')
  return decodePicture(url.slice(head.length))
}

/** Decodes a picture that came as base64; bounded and sniffed like a fetched one. */
export function decodePicture(base64: string): Uint8Array {
  if (base64.length > (pictureBytesMax / 3) * 4 + 4) throw unusable('the picture is too large')
  return checkPicture(Buffer.from(base64, 'base64'))
}

function checkPicture(bytes: Uint8Array): Uint8Array {
  const format = sniffFormat(bytes)
  if (format === undefined || format === 'gif') throw unusable('what came is not a picture')
  return bytes
}

/**
 * The pictures of an answer one after the other; those that can't be had are left out.
 * @param read answers one of them, or throws `HostedError`
 * @throws the first one's `HostedError` where none can be had
 */
export async function collectPictures<Entry>(
  entries: readonly Entry[],
  read: (entry: Entry) => Promise<Uint8Array>,
): Promise<Uint8Array[]> {
  const pictures: Uint8Array[] = []
  const errors: HostedError[] = []
  for (const entry of entries) {
    try {
      pictures.push(await read(entry))
    } catch (error) {
      if (!(error instanceof HostedError)) throw error
      errors.push(error)
    }
  }
  if (pictures.length > 0) return pictures
  throw errors[0] ?? new HostedError('unknown', 'the answer has no picture')
}

/** True for an IP address (v4, v6, or v4 mapped into v6) that the whole internet can reach. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const known = ipaddr.process(address)
  // Of IPv6, only 2000::/3 is given out for the internet.
  const isGivenOut = known instanceof ipaddr.IPv4 || (known.parts[0] ?? 0) >> 13 === 1
  return isGivenOut && known.range() === 'unicast'
}
