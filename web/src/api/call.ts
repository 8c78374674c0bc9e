import { isRecord } from './is-record.ts'
import { idempotencyKeyHeader } from '@starside/contract/api.ts'
import { eventHeader } from '@starside/contract/event-formats.ts'
import { eventOfPath } from '@starside/contract/pages.ts'
import type {
  AnswerOf,
  BodyInput,
  PathParams,
  QueryInput,
} from '@starside/contract/routes/declare-routes.ts'
import { parseRouteKey } from '@starside/contract/routes/route-key.ts'
import type { ApiRoutes } from '@starside/contract/routes/routes.ts'
import { readToken } from './token.ts'

/** A declared call: method, path and action, as in `POST /api/auth?action=login`. */
export type Call = keyof ApiRoutes

/** A declared call that answers JSON. */
export type JsonCall = {
  [Key in Call]: [AnswerOf<ApiRoutes[Key]>] extends [never] ? never : Key
}[Call]

interface CommonOptions {
  headers?: Record<string, string>
  /** With which a repeated call is recognised. */
  idempotencyKey?: string
  signal?: AbortSignal
  /** Lets the request go on when the page is left. */
  keepalive?: boolean
}

/** What a call takes, as its declaration says. */
export type CallOptions<Key extends Call> = CommonOptions &
  (keyof PathParams<Key> extends never ? unknown : { params: PathParams<Key> }) &
  ParameterOf<'query', QueryInput<ApiRoutes[Key]>> &
  ParameterOf<'body', BodyOf<ApiRoutes[Key]>>

/** Left out, open to leave out, or wanted. */
type ParameterOf<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : {} extends Value
    ? { [Only in Name]?: Value }
    : { [Only in Name]: Value }

type BodyOf<Route> = Route extends { body: { mediaType: 'multipart/form-data' } }
  ? FormData
  : BodyInput<Route>

/** The options may be left out where nothing in them is wanted. */
type Arguments<Options> = {} extends Options ? [options?: Options] : [options: Options]

/** The same once the call's own types are forgotten. */
interface AnyOptions extends CommonOptions {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  body?: unknown
}

/** Refuses another shape than declared; schemas and their library are no part of the production build. */
const development = import.meta.env.DEV ? await import('./assert-answer.ts') : undefined

/** With which token each answer was asked for; null without one. */
const tokensOfAnswers = new WeakMap<Response, string | null>()

/** A random key of 128 bits; works on plain-HTTP hosts too, where `randomUUID` is missing. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Sends one declared request with the stored token, and gives the raw answer. */
export async function send<Key extends Call>(
  key: Key,
  ...[given]: Arguments<CallOptions<Key>>
): Promise<Response> {
  const options: AnyOptions = given ?? {}
  const headers = new Headers(options.headers)
  const token = readToken()
  // The language that was chosen here, which a mail then follows.
  headers.set('accept-language', document.documentElement.lang)
  if (token) headers.set('authorization', `Bearer ${token}`)
  const event = eventOfPath(location.pathname)
  if (event !== null) headers.set(eventHeader, event)
  if (options.idempotencyKey) headers.set(idempotencyKeyHeader, options.idempotencyKey)
  const { method, address } = addressOf(key, options)
  const { signal = null, keepalive = false, body } = options
  const init: RequestInit = { method, headers, signal, keepalive }
  if (body instanceof FormData) init.body = body
  else if (body !== undefined) {
    headers.set('content-type', 'application/json')
    init.body = JSON.stringify(body)
  }
  try {
    const response = await fetch(address, init)
    tokensOfAnswers.set(response, token)
    return response
  } catch (error) {
    if (isAbort(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new ApiError(reason, 0, 'NETWORK_ERROR')
  }
}

function addressOf(key: string, { params = {}, query = {} }: AnyOptions) {
  const { method, path, action } = parseRouteKey(key)
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const search = new URLSearchParams(action === undefined ? {} : { action })
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, value)
  }
  return { method, address: search.size === 0 ? filled : `${filled}?${search}` }
}

/** The failure of an answer other than 2xx; tells `window` where it refuses the stored token, not an earlier one. */
export async function failureOf(response: Response): Promise<ApiError> {
  const failure = toldFailure(await readJson(response), response.status)
  const isRefused = ['token_invalid', 'token_missing'].includes(failure.code)
  // A guest who hasn't joined ends no session of the site.
  const isOfSite = eventOfPath(location.pathname) === null
  const isCurrent = tokensOfAnswers.get(response) === readToken()
  if (response.status === 401 && isRefused && isOfSite && isCurrent) {
    dispatchEvent(new Event('session-ended'))
  }
  return failure
}

function toldFailure(answer: unknown, status: number, otherwise = `HTTP error! status: ${status}`) {
  const sentence = textField(answer, 'error')
  const code = textField(answer, 'code') ?? 'HTTP_ERROR'
  const failure = new ApiError(sentence ?? otherwise, status, code, sentence !== undefined)
  failure.generationId = textField(answer, 'generationId')
  return failure
}

/** One declared call that answers JSON. Throws {@link ApiError} for everything but `success: true`. */
export async function call<Key extends JsonCall>(
  key: Key,
  ...options: Arguments<CallOptions<Key>>
): Promise<AnswerOf<ApiRoutes[Key]>> {
  const response = await send(key, ...options)
  if (!response.ok) throw await failureOf(response)
  const answer = await readJson(response)
  if (!isRecord(answer)) {
    throw new ApiError('The answer could not be read.', response.status, 'BAD_ANSWER')
  }
  if (answer['success'] !== true) throw toldFailure(answer, response.status, '')
  development?.assertAnswer(key, response.status, answer)
  // The server answers by the same declaration; its own tests and the check above hold it to that.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return answer as AnswerOf<ApiRoutes[Key]>
}

function readJson(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined)
}

function textField(answer: unknown, name: string): string | undefined {
  const value = isRecord(answer) ? answer[name] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * A call that did not succeed. `message` is the server's sentence where it gave one (`fromServer`), else the
 * specification's. `code` is one of the contract's or NETWORK_ERROR, PROXY_ERROR, HTTP_ERROR, BAD_ANSWER,
 * NO_REASON (a picture failed, nobody says why), NO_PICTURE (it succeeded, nobody says where it is).
 */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly fromServer: boolean
  /** The selfie that a refusal speaks of. */
  generationId: string | undefined

  constructor(message: string, status: number, code: string, fromServer = false) {
    super(message)
    this.status = status
    this.code = code
    this.fromServer = fromServer
  }
}

/** True when the call was given up by its own caller, which is no failure to show. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
