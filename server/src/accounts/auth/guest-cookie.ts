import { eventHeader } from '@starside/contract/event-formats.ts'
import type { FastifyRequest } from 'fastify'
import { createHostCookie } from '../../platform/http/host-cookie.ts'
import type { HostCookie } from '../../platform/http/host-cookie.ts'

/** The cookie that holds the session of an event's guest. */
export function guestCookie({ publicUrl }: { readonly publicUrl: string }): HostCookie {
  return createHostCookie('guest', { isHttps: publicUrl.startsWith('https:'), sameSite: 'Strict' })
}

/**
 * The event that a request says it is of; undefined where a page of another site may have sent it.
 * Browsers send that header for our own pages alone, as nothing here allows it to others (Fetch, CORS).
 */
export function readOwnEvent(request: FastifyRequest): string | undefined {
  const { 'sec-fetch-site': site, [eventHeader]: event } = request.headers
  if (site !== undefined && site !== 'same-origin') return undefined
  return typeof event === 'string' ? event : undefined
}
