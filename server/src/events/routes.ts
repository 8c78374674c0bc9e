import { eventRoutes as declared } from '@starside/contract/routes/event-routes.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkRegistration } from '../accounts/auth/check-registration.ts'
import { deviceOptionsOf, recogniseDevice, setDeviceCookie } from '../accounts/auth/device.ts'
import { loadDisposableDomains } from '../accounts/auth/mailbox.ts'
import { guestCookie, guardsOf, hashToken } from '../accounts/auth/session.ts'
import { readOrigin, readOwnEvent } from '../accounts/auth/session.ts'
import type { SignedInUser } from '../accounts/auth/session.ts'
import { forgetPhotos } from '../accounts/forget-photos.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { callerNetwork } from '../platform/http/network-address.ts'
import { readLanguage } from '../platform/http/read-language.ts'
import { serveRoutes } from '../platform/http/serve-routes.ts'
import type { RouteHandlers } from '../platform/http/serve-routes.ts'
import { findEventAs, findLink, listRoles, openLink } from './event-links.ts'
import { eventPictures, eventUrl, findEvent } from './event.ts'
import { presentEvent, secondsToDeletion } from './event.ts'
import type { EventRow } from './event.ts'
import { assertGuest, presentGuest, wishFor } from './guest-selfies.ts'
import { joinEvent, keepGuest, leaveEvent, offerHandOver, takeOver } from './guest-sessions.ts'
import { ownGenerationOf } from '../selfies/own-generation.ts'
import type { EventParts } from './parts.ts'
import { judgeForWall, markPrint, readModeration, readPrints, readWall } from './team-lists.ts'

/** `/api/events/…` */
export async function eventRoutes(
  app: FastifyInstance,
  { context }: { context: EventParts },
): Promise<void> {
  const handlers: RouteHandlers<typeof declared, SignedInUser> = {
    ...handleEvent(context),
    ...handleJoining(context, await loadDisposableDomains(context.config.disposableMailFile)),
    ...handleWishes(context),
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
        return { success: true, event: await presentEvent(context, event, request.ip), roles }
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
  const device = deviceOptionsOf(context)

  /** The guest whose session this browser has already; undefined without one. */
  async function findGuest(request: FastifyRequest, event: EventRow) {
    if (readOwnEvent(request) !== event.name) return undefined
    const token = guestCookie(config, event.name).read(request)
    const row = token === undefined ? undefined : await context.findSession(hashToken(token))
    return row?.guest?.event === event.name && row.status === 'active' ? row : undefined
  }

  /** Makes the browser that of a guest, and shows them their part. */
  function enter(reply: FastifyReply, event: EventRow, guest: { userId: string; token: string }) {
    const seconds = secondsToDeletion(event, clock())
    guestCookie(config, event.name).set(reply, guest.token, seconds)
    return presentGuest(context, event, guest.userId)
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
      if (known !== undefined) return presentGuest(context, event, known.userId)
      const browser = recogniseDevice(request, device)
      await context.limits.take('join', {
        address: request.ip,
        kioskId,
        ...(isKiosk ? {} : { account: browser.browserHash.toString('base64url') }),
      })
      const guest = await joinEvent(context, event, {
        consentVersion: body.consentVersion,
        kioskId,
        language: readLanguage(request),
        origin: readOrigin(request),
      })
      if (browser.shown === undefined) setDeviceCookie(reply, browser.fresh, device)
      return enter(reply, event, guest)
    },
    'GET /api/events/:event/guest': async ({ params, request }) => {
      const event = await findEvent(database, params.event)
      const known = await findGuest(request, event)
      const guest = known ? await presentGuest(context, event, known.userId) : null
      return { success: true, guest }
    },
    'POST /api/events/:event/take-over': async ({ params, body, request, reply }) => {
      const event = await findEvent(database, params.event)
      const known = body.replaces === true ? undefined : await findGuest(request, event)
      const { code } = body
      const taken = { event, code, origin: readOrigin(request), replacedId: known?.userId }
      return enter(reply, event, await takeOver(context, taken))
    },
    'POST /api/events/:event/hand-over': async ({ params, user }) => {
      const code = await offerHandOver(context, assertGuest(user, params.event))
      const url = `${eventUrl(config, { name: params.event })}#take=${code}`
      return { success: true, code, url }
    },
    'POST /api/events/:event/leave': async ({ params, request, reply }) => {
      const event = await findEvent(database, params.event)
      const guest = await findGuest(request, event)
      if (guest !== undefined) {
        await leaveEvent(context, event, guest)
        forgetPhotos(context, guest.userId)
      }
      // A form of another site takes nobody's selfies out of reach.
      if (readOwnEvent(request) === event.name) guestCookie(config, event.name).set(reply, '', 0)
      return { success: true }
    },
    'POST /api/events/:event/keep': async ({ params, user, body, request, reply }) => {
      const { userId, sessionId } = assertGuest(user, params.event)
      const registration = checkRegistration(body)
      if (isDisposable(registration.email)) throw new AppError('email_disposable')
      const origin = readOrigin(request)
      await context.anonymousLimits.admitRegistration(origin.address, body.proof)
      const event = await findEvent(database, params.event)
      const guest = { userId, sessionId, event, origin }
      const token = await keepGuest(context, registration, guest)
      guestCookie(config, event.name).set(reply, '', 0)
      const { email, username } = registration
      return { success: true, token, user: { userId, email, username } }
    },
  } satisfies Handlers
}

/** What guests wish for their selfies, and who opens a page with a link sees and does of it. */
function handleWishes(context: EventParts) {
  const { database } = context
  return {
    'PUT /api/events/:event/selfies/:generationId': async (call) => {
      assertGuest(call.user, call.params.event)
      const own = ownGenerationOf(call)
      const row = await context.findOwnGeneration(own)
      if (row?.state !== 'done') throw new AppError('generation_unknown')
      const event = await findEvent(database, call.params.event)
      await wishFor(context, { ...own, event }, call.body)
      return presentGuest(context, event, own.userId)
    },
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
