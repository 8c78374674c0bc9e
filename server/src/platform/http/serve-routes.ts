import { idempotencyKeyHeader } from '@starside/contract/api.ts'
import type {
  AnswerOf,
  BodyOutput,
  PathParams,
  QueryOutput,
  RouteDeclaration,
} from '@starside/contract/routes/declare-routes.ts'
import type { LimitedCall } from '@starside/contract/routes/limited-calls.ts'
import { parseRouteKey } from '@starside/contract/routes/route-key.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import { parseInput, queryText } from './parse-input.ts'
import type { RateLimits } from './rate-limits.ts'

/** Who sends a request, as far as limits count. */
interface Caller {
  userId: string
  guest?: { kioskId: string | null } | null | undefined
}

/** Who is let in: what every declared route asks for before it is handled. */
export interface Guards<User extends Caller> {
  /** The person behind the request; throws when there is none. */
  authenticate(request: FastifyRequest, access: 'user' | 'guest'): Promise<User>
  limits: RateLimits<LimitedCall>
}

/** One request after all checks of its declaration. */
export interface RouteCall<Key extends string, Route, User> {
  request: FastifyRequest
  reply: FastifyReply
  params: PathParams<Key>
  query: QueryOutput<Route>
  /** Undefined for a form, which is read by its handler: its files are large. */
  body: Route extends { body: { mediaType: 'application/json' } } ? BodyOutput<Route> : undefined
  user: Route extends { access: 'anybody' } ? undefined : User
  idempotencyKey: Route extends { repeatable: true } ? string | undefined : undefined
}

/** Answers in the declared shape, or by the reply itself where files are sent. */
export type RouteHandler<Key extends string, Route, User> = (
  call: RouteCall<Key, Route, User>,
) => Promise<[AnswerOf<Route>] extends [never] ? FastifyReply | void : AnswerOf<Route>>

/** A handler with what its route needs beyond the declaration. */
export interface SpecialRoute<Key extends string, Route, User> {
  /** Undoes what was prepared for a call that is refused, also one that its limit refuses. */
  onRefusal?: (
    refused: Pick<RouteCall<Key, Route, User>, 'request' | 'user' | 'query'>,
  ) => Promise<void>
  handle: RouteHandler<Key, Route, User>
}

/** A handler that authenticates itself, in one read with its answer; throws as `authenticate`. */
export interface SelfGuardedRoute<Route> {
  authenticateAndHandle: (request: FastifyRequest) => Promise<AnswerOf<Route>>
}

/** One handler for each declared route: a route that is forgotten fails the type check. */
export type RouteHandlers<Declared, User> = {
  [Key in keyof Declared & string]:
    | RouteHandler<Key, Declared[Key], User>
    | SpecialRoute<Key, Declared[Key], User>
    | SelfGuardedRoute<Declared[Key]>
}

/**
 * Registers declared routes: authenticates, checks the query, counts the call, checks the body, in
 * that order. The usual status is the declaration's lowest.
 */
export function serveRoutes<
  const Declared extends Readonly<Record<string, RouteDeclaration>>,
  User extends Caller,
>(
  app: FastifyInstance,
  guards: Guards<User>,
  declared: Declared,
  handlers: RouteHandlers<Declared, User>,
): void {
  const actionsOf = new Map<string, Record<string, ActionHandler>>()
  for (const [key, route] of Object.entries(declared)) {
    // The types of the map tie each handler to its declaration; by a text the tie is lost.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const handler = handlers[key as keyof Declared & string] as AnyHandler<User>
    const handle = guardRoute(guards, route, handler)
    const { method, path, action } = parseRouteKey(key)
    if (action === undefined) {
      app.route({ method, url: path, handler: handle })
      continue
    }
    const address = `${method} ${path}`
    const actions = actionsOf.get(address) ?? {}
    actions[action] = handle
    if (actionsOf.has(address)) continue
    actionsOf.set(address, actions)
    app.route({ method, url: path, handler: dispatchAction(actions) })
  }
}

/** What any handler looks like once its route's types are forgotten. */
type AnyHandler<User> =
  | ((call: AnyCall<User>) => Promise<unknown>)
  | {
      onRefusal?: (refused: Pick<AnyCall<User>, 'request' | 'user' | 'query'>) => Promise<void>
      handle: (call: AnyCall<User>) => Promise<unknown>
    }
  | { authenticateAndHandle: (request: FastifyRequest) => Promise<unknown> }

interface AnyCall<User> {
  request: FastifyRequest
  reply: FastifyReply
  params: unknown
  query: unknown
  body: unknown
  user: User | undefined
  idempotencyKey: string | undefined
}

function guardRoute<User extends Caller>(
  guards: Guards<User>,
  route: RouteDeclaration,
  handler: AnyHandler<User>,
): ActionHandler {
  if ('authenticateAndHandle' in handler) return handler.authenticateAndHandle
  const { handle, onRefusal } =
    typeof handler === 'function' ? { handle: handler, onRefusal: undefined } : handler
  const status = Math.min(...Object.keys(route.answers).map(Number))

  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    { user, query }: Pick<AnyCall<User>, 'user' | 'query'>,
  ) {
    if (route.limit !== undefined) {
      await guards.limits.take(route.limit, {
        address: request.ip,
        ...(user === undefined ? {} : { account: user.userId }),
        kioskId: user?.guest?.kioskId,
      })
    }
    const json = route.body?.mediaType === 'application/json' ? route.body.schema : undefined
    const call = {
      request,
      reply,
      params: request.params,
      query,
      body: json === undefined ? undefined : parseInput(json, request.body),
      user,
      idempotencyKey: route.repeatable === true ? readIdempotencyKey(request) : undefined,
    }
    if (status !== 200) void reply.status(status)
    return handle(call)
  }

  return async (request, reply) => {
    const { access } = route
    const user = access === 'anybody' ? undefined : await guards.authenticate(request, access)
    const query = route.query === undefined ? undefined : parseInput(route.query, request.query)
    try {
      return await admit(request, reply, { user, query })
    } catch (error) {
      await onRefusal?.({ request, user, query })
      throw error
    }
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent it, once that is known; for the log. */
    userId?: string
    /** Of the answer's failure, for the notes that operators search. */
    failureCode?: string
    /** True when `?action=` names one of the route's acts. */
    actionIsKnown?: boolean
  }
}

type ActionHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Picks the handler that `?action=` names, or answers `unknown_action` with the names. */
function dispatchAction(handlers: Record<string, ActionHandler>): ActionHandler {
  return (request, reply) => {
    const action = queryText(request, 'action') ?? ''
    const handler = Object.hasOwn(handlers, action) ? handlers[action] : undefined
    if (handler === undefined) {
      throw new AppError('unknown_action', {
        sentence: `Unknown action. Accepted are: ${Object.keys(handlers).join(', ')}.`,
      })
    }
    request.actionIsKnown = true
    return handler(request, reply)
  }
}

/** The caller's Idempotency-Key: 8 to 100 visible ASCII characters, or undefined when none came. */
function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const value = request.headers[idempotencyKeyHeader]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !/^[\x21-\x7e]{8,100}$/.test(value)) {
    throw new AppError('invalid_request', {
      sentence: 'Idempotency-Key must be 8 to 100 visible ASCII characters.',
    })
  }
  return value
}
