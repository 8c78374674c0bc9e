import { sniffFormat } from '@starside/engine/photo/sniff-format.ts'
import { HostedError } from './hosted-error.ts'
import { isPublicAddress } from './public-address.ts'
import { BodyTooLargeError, readBounded } from '../platform/http/read-bounded.ts'

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
  options: { rules: DownloadRules; signal: AbortSignal },
): Promise<Uint8Array> {
  const { rules, signal } = options
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
      throw new HostedError('unknown', `the picture is too large: ${error.message}`)
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
    if (response.status < 300 || response.status > 399 || location === null) {
      throw statusError(response.status)
    }
    url = URL.parse(location, url)?.href ?? ''
  }
  throw new HostedError(
    'unknown',
    `the picture’s address redirects more than ${redirectsMax} times`,
  )
}

function statusError(status: number): HostedError {
  const isTransient = status >= 500 || status === 408 || status === 429
  return new HostedError(isTransient ? 'provider_down' : 'unknown', `the picture answers ${status}`)
}

async function assertAllowed({ resolveHost }: DownloadParts, text: string, rules: DownloadRules) {
  const url = URL.parse(text)
  if (url === null) throw new HostedError('unknown', 'the picture has no proper address')
  if (rules.origins.includes(url.origin)) return
  const { hostname: host } = url
  const isKnown = rules.hosts.some((allowed) =>
    allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed,
  )
  if (url.protocol !== 'https:' || url.port !== '' || !isKnown || url.username !== '') {
    throw new HostedError('unknown', `the picture is at an address that is not allowed: ${host}`)
  }
  const addresses = await resolveHost(host)
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) {
    throw new HostedError('unknown', `the picture’s host ${host} is at a private address`)
  }
}

function readDataUrl(url: string): Uint8Array {
  const [head] = /^data:image\/[\w.+-]+;base64,/.exec(url) ?? []
  if (head === undefined) {
    throw new HostedError('unknown', 'the picture’s data address is not a picture')
  }
  return decodePicture(url.slice(head.length))
}

/** Decodes a picture that came as base64; bounded and sniffed like a fetched one. */
export function decodePicture(base64: string): Uint8Array {
  if (base64.length > (pictureBytesMax / 3) * 4 + 4) {
    throw new HostedError('unknown', 'the picture is too large')
  }
  return checkPicture(Buffer.from(base64, 'base64'))
}

function checkPicture(bytes: Uint8Array): Uint8Array {
  const format = sniffFormat(bytes)
  if (format === undefined || format === 'gif') {
    throw new HostedError('unknown', 'what came is not a picture')
  }
  return bytes
}
