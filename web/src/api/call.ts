import { apiBasePath, idempotencyKeyHeader } from '@starside/contract/api.ts'
import { ApiError, isAbort } from './api-error.ts'
import { readToken } from './token.ts'

export interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Sent as JSON, or as it is when it is a form. */
  body?: unknown
  headers?: Record<string, string>
  /** With which a repeated call is recognised. */
  idempotencyKey?: string
  signal?: AbortSignal
  /** Lets the request go on when the page is left. */
  keepalive?: boolean
}

type SessionEndListener = () => void
const sessionEndListeners = new Set<SessionEndListener>()

/** Tells `listener` when the server misses a token or no longer accepts it. Gives the way to stop. */
export function onSessionEnd(listener: SessionEndListener): () => void {
  sessionEndListeners.add(listener)
  return () => sessionEndListeners.delete(listener)
}

/** A random key of 128 bits; works on plain-HTTP hosts too, where `randomUUID` is missing. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Sends one request below `/api` with the stored token, and gives the raw answer. */
export async function send(path: string, options: CallOptions = {}): Promise<Response> {
  const headers = new Headers(options.headers)
  const token = readToken()
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (options.idempotencyKey) headers.set(idempotencyKeyHeader, options.idempotencyKey)
  const init: RequestInit = { method: options.method ?? 'GET', headers }
  if (options.signal) init.signal = options.signal
  if (options.keepalive) init.keepalive = true
  if (options.body instanceof FormData) init.body = options.body
  else if (options.body !== undefined) {
    headers.set('content-type', 'application/json')
    init.body = JSON.stringify(options.body)
  }
  try {
    return await fetch(`${apiBasePath}${path}`, init)
  } catch (error) {
    if (isAbort(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new ApiError(reason, { status: 0, code: 'NETWORK_ERROR', fromServer: false })
  }
}

/** The failure that an answer other than 2xx stands for: the server's sentence, else our own. */
export async function failureOf(response: Response): Promise<ApiError> {
  const answer = await readJson(response)
  const sentence = textField(answer, 'error')
  const code = textField(answer, 'code')
  if (response.status === 401 && (code === 'token_invalid' || code === 'token_missing')) {
    for (const listener of sessionEndListeners) listener()
  }
  return new ApiError(sentence ?? `HTTP error! status: ${response.status}`, {
    status: response.status,
    code: code ?? 'HTTP_ERROR',
    fromServer: sentence !== undefined,
  })
}

/**
 * One call below `/api` that answers JSON with `success: true`.
 * Throws {@link ApiError} for everything else.
 */
export async function call<Answer>(path: string, options: CallOptions = {}): Promise<Answer> {
  const response = await send(path, options)
  if (!response.ok) throw await failureOf(response)
  const answer = await readJson(response)
  if (typeof answer !== 'object' || answer === null) {
    throw new ApiError('The answer could not be read.', {
      status: response.status,
      code: 'BAD_ANSWER',
      fromServer: false,
    })
  }
  if ('success' in answer && answer.success === false) {
    const sentence = textField(answer, 'error')
    throw new ApiError(sentence ?? '', {
      status: response.status,
      code: textField(answer, 'code') ?? 'HTTP_ERROR',
      fromServer: sentence !== undefined,
    })
  }
  return answer as Answer
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return (await response.json()) as unknown
  } catch {
    return undefined
  }
}

function textField(answer: unknown, name: string): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  const value = (answer as Record<string, unknown>)[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
