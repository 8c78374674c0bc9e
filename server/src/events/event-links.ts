import { eventRoles } from '@starside/contract/event-formats.ts'
import type { EventRole } from '@starside/contract/event-formats.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createToken, hashToken, readOwnEvent } from '../accounts/auth/session.ts'
import { findRow, insertRow, updateRows } from '../platform/db/rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { createHostCookie } from '../platform/http/host-cookie.ts'
import { findEvent, secondsToDeletion } from './event.ts'
import type { EventRow } from './event.ts'
import type { EventParts } from './parts.ts'

type Parts = Pick<EventParts, 'clock' | 'config' | 'database' | 'randomBytes'>

/** A browser has one cookie for each role at each event. */
const roleCookie = ({ config }: Pick<Parts, 'config'>, role: EventRole, event: string) =>
  createHostCookie(`${role}-${event}`, config, 'Strict')

/** Makes a link's key, which only the caller ever sees; it opens one browser. */
export async function makeLink(
  { database, randomBytes, clock }: Omit<Parts, 'config'>,
  { eventId, role, madeBy }: { eventId: string; role: EventRole; madeBy: string },
): Promise<string> {
  const key = createToken(randomBytes)
  await insertRow(database, 'event_links', {
    event_id: eventId,
    role,
    key_hash: hashToken(key),
    made_at: clock(),
    made_by: madeBy,
    token_hash: null,
    opened_at: null,
  })
  return key
}

/** Gives this browser the cookie of a link's role, once. Throws `event_link_unknown`. */
export async function openLink(
  parts: Parts,
  reply: FastifyReply,
  { event, role, key }: { event: EventRow; role: EventRole; key: string },
): Promise<void> {
  const token = createToken(parts.randomBytes)
  const now = parts.clock()
  const opened = await updateRows(parts.database, 'event_links', {
    match: { event_id: event.id, role, key_hash: hashToken(key), token_hash: null },
    set: { token_hash: hashToken(token), opened_at: now },
  })
  if (opened.length === 0) throw new AppError('event_link_unknown')
  roleCookie(parts, role, event.name).set(reply, token, secondsToDeletion(event, now))
}

/** The link by which this browser has a role at the event; undefined without one. */
export async function findLink(
  parts: Omit<Parts, 'randomBytes'>,
  request: FastifyRequest,
  { event, role }: { event: EventRow; role: EventRole },
): Promise<string | undefined> {
  const token = roleCookie(parts, role, event.name).read(request)
  if (token === undefined || readOwnEvent(request) !== event.name) return undefined
  const key = { event_id: event.id, role, token_hash: hashToken(token) }
  return (await findRow(parts.database, 'event_links', key))?.id
}

/** The event at an address, for a browser that has the role there. Throws `event_role_missing`. */
export async function findEventAs(
  role: EventRole,
  parts: Omit<Parts, 'randomBytes'>,
  { request, params }: { request: FastifyRequest; params: { event: string } },
): Promise<EventRow> {
  const event = await findEvent(parts.database, params.event)
  const link = await findLink(parts, request, { event, role })
  if (link === undefined) throw new AppError('event_role_missing')
  return event
}

/** Every role that this browser has at the event. */
export async function listRoles(
  parts: Omit<Parts, 'randomBytes'>,
  request: FastifyRequest,
  event: EventRow,
): Promise<EventRole[]> {
  const roles: EventRole[] = []
  for (const role of eventRoles)
    if (await findLink(parts, request, { event, role })) roles.push(role)
  return roles
}
