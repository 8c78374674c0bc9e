import { setTimeout as delay } from 'node:timers/promises'
import type { VariationItem } from '@starside/contract/variations.ts'

/** What the answers hold of use here. */
export interface Answer {
  code?: string
  token?: string
  generation?: { generationId: string; state: string; variations: VariationItem[] }
  data?: { orderId: string; nowpaymentsId?: string | null; status: string }
}

/** One person's way to the API, who asks again until they have an answer. */
export interface RetryingClient {
  /** How often something had to be asked again. */
  retries: number
  /** When the person gives up, by `performance.now()`. */
  readonly deadline: number
  /**
   * Calls until an answer comes that isn't a passing failure. Throws once the time limit is over.
   * @param init makes the request anew for each try; whoever changes something sends the same
   *   Idempotency-Key each time
   */
  call(path: string, init: () => Promise<RequestInit>): Promise<{ status: number; body: Answer }>
}

const requestMs = 30_000
const giveUpAfterMs = 300_000
const pauseMs = 300

/** A good client: an answer that is lost or says 5xx is asked for again, the same request. */
export function openRetryingClient(url: () => string): RetryingClient {
  const client: RetryingClient = {
    retries: 0,
    deadline: performance.now() + giveUpAfterMs,
    async call(path, init) {
      for (;;) {
        try {
          const response = await fetch(url() + path, {
            ...(await init()),
            signal: AbortSignal.timeout(requestMs),
          })
          const body = (await response.json()) as Answer
          if (response.status < 500 || body.code === 'generation_failed') {
            return { status: response.status, body }
          }
        } catch {
          // Lost on the way: whether it was done, the same request again will tell.
        }
        client.retries += 1
        if (performance.now() > client.deadline) throw new Error('nobody answered in time')
        await delay(pauseMs)
      }
    },
  }
  return client
}

/** Registers, or signs in where a lost answer had said that the account is made. */
export async function signUp(client: RetryingClient, email: string): Promise<string> {
  const send = (action: string) =>
    client.call(`/api/auth?action=${action}`, async () => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'correct horse', username: 'Fault' }),
    }))
  const registered = await send('register')
  const token = registered.body.token ?? (await send('login')).body.token
  if (token === undefined) throw new Error('no way in')
  return token
}
