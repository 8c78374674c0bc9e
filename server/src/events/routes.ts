import { eventRoutes as declared } from '@starside/contract/routes/event-routes.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { checkRegistration } from '../accounts/auth/check-registration.ts'
import { deviceOptionsOf, recogniseDevice, setDeviceCookie } from '../accounts/auth/device.ts'
import { loadDisposableDomains } from '../accounts/auth/mailbox.ts'
import {
  guestCookie,
  readOwnEvent,
  guardsOf,
  readOrigin,
  endSessions,
  hashToken,
} from '../accounts/auth/session.ts'
import type { SignedInUser } from '../accounts/auth/session.ts'
import { forgetPhotos } from '../accounts/forget-photos.ts'
import { inTransaction } from '../platform/db/database.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { callerNetwork } from '../platform/http/network-address.ts'
import { readLanguage } from '../platform/http/read-language.ts'
import { serveRoutes } from '../platform/http/serve-routes.ts'
import type { RouteHandlers } from '../platform/http/serve-routes.ts'
import { findEventAs, findLink, listRoles, openLink } from './event-links.ts'
import { assertRunning, eventPictures, findEvent, secondsToDeletion } from './find-event.ts'
import type { EventRow } from './find-event.ts'
import { returnGuestCredits } from './guest-credits.ts'
import { joinEvent, keepGuest, offerHandOver, takeOver } from './guest-sessions.ts'
import { ownGenerationOf } from '../selfies/own-generation.ts'
import type { EventParts } from './parts.ts'
import { eventUrl, presentEvent } from './present-event.ts'
import { assertGuest, presentGuest } from './present-guest.ts'
import { askForPrint, markPrint, readPrints } from './prints.ts'
import { judgeForWall, readModeration, readWall, wishForWall } from './wall.ts'

/** `/api/events/…` */
export async function eventRoutes(
  app: FastifyInstance,
  { context }: { context: EventParts },
): Promise<void> {
  const handlers: RouteHandlers<typeof declared, SignedInUser> = {
    ...handleEvent(context),
    ...handleJoining(context, await loadDisposableDomains(context.config.disposableMailFile)),
    ...handleSelfies(context),
    ...handleRoles(context),
  }
  serveRoutes(app, guardsOf(context), declared, handlers)
}

type Handlers = Partial<RouteHandlers<typeof declared, SignedInUser>>

/** What everybody sees of an event. */
function handleEvent(context: EventParts) {
  const { database, store, pictureReads } = context
  return {
    'GET /api/events/:event': async ({ params, request }) =>
      pictureReads.run(callerNetwork(request.ip), async () => {
        const event = await findEvent(database, params.event)
        const roles = await listRoles(context, request, event)
        return { success: true, event: await presentEvent(context, event), roles }
      }),
    'GET /api/events/:event/pictures/:picture': async ({ params, request, reply }) => {
      const picture = keysOf(eventPictures).find((name) => name === params.picture)
      if (picture === undefined) throw new AppError('not_found')
      const { mediaType, column } = eventPictures[picture]
      const bytes = await pictureReads.run(callerNetwork(request.ip), async () => {
        const { [column]: key } = await findEvent(database, params.event)
        return key === null ? undefined : await store.get(key)
      })
      if (bytes === undefined) throw new AppError('not_found')
      return reply
        .type(mediaType)
        .header('cache-control', 'public, max-age=3600')
        .send(Buffer.from(bytes))
    },
  } satisfies Handlers
}

/** Becoming a guest, going on elsewhere, and no longer being one. */
function handleJoining(context: EventParts, isDisposable: (email: string) => boolean) {
  const { config, database, clock } = context
  const cookie = guestCookie(config)
  const device = deviceOptionsOf(context)

  /** The guest whose session this browser has already; undefined without one. */
  async function findGuest(request: FastifyRequest, event: EventRow) {
    const token = readOwnEvent(request) === event.name ? cookie.read(request) : undefined
    const row = token === undefined ? undefined : await context.findSession(hashToken(token))
    return row?.guest?.event === event.name && row.status === 'active' ? row : undefined
  }

  return {
    'POST /api/events/:event/join': async ({ params, body, request, reply }) => {
      const event = await findEvent(database, params.event)
      const isKiosk = body.atKiosk === true
      const kioskId = isKiosk
        ? await findLink(context, request, { event, role: 'kiosk' })
        : undefined
      if (isKiosk && kioskId === undefined) throw new AppError('event_link_unknown')
      const known = isKiosk ? undefined : await findGuest(request, event)
      if (known !== undefined) return presentGuest(context, known.userId)
      const browser = recogniseDevice(request, device)
      await context.limits.take('join', {
        address: request.ip,
        kioskId,
        ...(isKiosk ? {} : { account: browser.browserHash.toString('base64url') }),
      })
      const { userId, token } = await joinEvent(context, event, {
        consentVersion: body.consentVersion,
        kioskId,
        language: readLanguage(request),
        origin: readOrigin(request),
      })
      if (browser.shown === undefined) setDeviceCookie(reply, browser.fresh, device)
      cookie.set(reply, token, secondsToDeletion(event, clock()))
      return presentGuest(context, userId)
    },
    'GET /api/events/:event/guest': async ({ params, request }) => {
      const known = await findGuest(request, await findEvent(database, params.event))
      return { success: true, guest: known ? await presentGuest(context, known.userId) : null }
    },
    'POST /api/events/:event/take-over': async ({ params, body, request, reply }) => {
      const event = await findEvent(database, params.event)
      const origin = readOrigin(request)
      const known = body.replaces === true ? undefined : await findGuest(request, event)
      const taken = { event, code: body.code, origin, replacedId: known?.userId }
      const { userId, token } = await takeOver(context, taken)
      cookie.set(reply, token, secondsToDeletion(event, clock()))
      return presentGuest(context, userId)
    },
    'POST /api/events/:event/hand-over': async ({ params, user }) => {
      const { userId } = assertGuest(user, params.event)
      const { code, expiresAt } = await offerHandOver(context, userId)
      const url = `${eventUrl(config, { name: params.event })}#take=${code}`
      return { success: true, code, url, expiresAt: expiresAt.toISOString() }
    },
    'POST /api/events/:event/leave': async ({ params, request, reply }) => {
      const event = await findEvent(database, params.event)
      const guest = await findGuest(request, event)
      if (guest !== undefined) {
        await inTransaction(database, async (transaction) => {
          await returnGuestCredits(transaction, { userId: guest.userId, event, now: clock() })
          await endSessions(transaction, { user_id: guest.userId, id: guest.sessionId })
        })
        forgetPhotos(context, guest.userId)
      }
      cookie.set(reply, '', 0)
      return { success: true }
    },
    'POST /api/events/:event/keep': async ({ params, user, body, request, reply }) => {
      const { userId } = assertGuest(user, params.event)
      const registration = checkRegistration(body)
      if (isDisposable(registration.email)) throw new AppError('email_disposable')
      const origin = readOrigin(request)
      await context.anonymousLimits.admitRegistration(origin.address, body.proof)
      const event = await findEvent(database, params.event)
      const token = await keepGuest(context, registration, { userId, event, origin })
      cookie.set(reply, '', 0)
      const { email, username } = registration
      return { success: true, token, user: { userId, email, username } }
    },
  } satisfies Handlers
}

/** What guests wish for their selfies. */
function handleSelfies(context: EventParts) {
  /** The guest's own finished selfie, and its event. Throws `guest_unknown` or `generation_unknown`. */
  const find = async (call: Parameters<typeof ownGenerationOf>[0] & GuestCall) => {
    assertGuest(call.user, call.params.event)
    const own = ownGenerationOf(call)
    const row = await context.findOwnGeneration(own)
    if (row?.state !== 'done') throw new AppError('generation_unknown')
    return { ...own, event: await findEvent(context.database, call.params.event) }
  }
  return {
    'PUT /api/events/:event/selfies/:generationId/wall': async (call) => {
      const own = await find(call)
      if (!own.event.has_wall) throw new AppError('event_choice_unknown')
      await wishForWall(context, { ...own, ...call.body })
      return presentGuest(context, own.userId)
    },
    'POST /api/events/:event/selfies/:generationId/prints': async (call) => {
      const own = await find(call)
      assertRunning(own.event, context.clock())
      const { format } = call.body
      if (!own.event.print_formats.includes(format)) throw new AppError('event_choice_unknown')
      await askForPrint(context, { ...own, format })
      return presentGuest(context, own.userId)
    },
  } satisfies Handlers
}

interface GuestCall {
  user: SignedInUser
  params: { event: string; generationId: string }
}

/** What kiosks, moderators, attendants and walls open with a link. */
function handleRoles(context: EventParts) {
  const { database } = context
  return {
    'POST /api/events/:event/open': async ({ params, body, reply }) => {
      const event = await findEvent(database, params.event)
      await openLink(context, reply, { event, ...body })
      return { success: true }
    },
    'GET /api/events/:event/moderation': async (call) => {
      const event = await findEventAs('moderator', context, call)
      return { success: true, ...(await readModeration(context, event, call.query.cursor)) }
    },
    'GET /api/events/:event/wall': async (call) => {
      const event = await findEventAs('wall', context, call)
      return { success: true, pictures: await readWall(context, event) }
    },
    'PUT /api/events/:event/moderation/:generationId': async (call) => {
      const { params, body } = call
      const event = await findEventAs('moderator', context, call)
      await judgeForWall(context, { event, generationId: params.generationId, ...body })
      return { success: true }
    },
    'GET /api/events/:event/prints': async (call) => {
      const event = await findEventAs('attendant', context, call)
      return { success: true, prints: await readPrints(context, event) }
    },
    'PUT /api/events/:event/prints/:printId': async (call) => {
      const { params, body } = call
      const event = await findEventAs('attendant', context, call)
      await markPrint(context, { event, printId: params.printId, ...body })
      return { success: true, prints: await readPrints(context, event) }
    },
  } satisfies Handlers
}
