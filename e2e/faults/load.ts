import { setTimeout as delay } from 'node:timers/promises'
import { generateForm } from '@starside/server/testing/generate-form.ts'

/** What one person was told in the end. */
export interface Witness {
  email: string
  /** `done`: had a picture; `failed`: was told so; `unknown`: nobody answered in time. */
  told: 'done' | 'failed' | 'unknown'
  retries: number
}

/** What the answers hold of use here. */
interface Answer {
  code?: string
  token?: string
  generation?: { generationId: string; state: string }
}

const requestMs = 30_000
const patienceMs = 180_000

/**
 * People who register and make a selfie each, until `signal` aborts; those who have begun end what
 * they do. They behave as a good client does: an answer that is lost or says 5xx is asked for again
 * with the same Idempotency-Key.
 */
export async function runLoad(
  people: number,
  options: { url: () => string; signal: AbortSignal; pauseMs: number },
): Promise<Witness[]> {
  const witnesses: Witness[] = []
  const person = async () => {
    while (!options.signal.aborted) {
      witnesses.push(await makeOneSelfie(options.url))
      await delay(options.pauseMs)
    }
  }
  await Promise.all(Array.from({ length: people }, person))
  return witnesses
}

async function makeOneSelfie(url: () => string): Promise<Witness> {
  const email = `${crypto.randomUUID()}@faults.example`
  const deadline = performance.now() + patienceMs
  let retries = 0
  const call = async (path: string, init: () => Promise<RequestInit>) => {
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
      retries += 1
      if (performance.now() > deadline) throw new Error('out of patience')
      await delay(300)
    }
  }
  try {
    const token = await register(email, call)
    const key = crypto.randomUUID()
    const authorization = `Bearer ${token}`
    const taken = await call('/api/ai?action=generate', async () => ({
      method: 'POST',
      headers: { authorization, prefer: 'respond-async', 'idempotency-key': key },
      body: await generateForm(),
    }))
    const generationId = taken.body.generation?.generationId
    if (generationId === undefined) return { email, told: 'failed', retries }
    for (;;) {
      const { body } = await call(`/api/generations/${generationId}`, async () => ({
        headers: { authorization },
      }))
      const state = body.generation?.state
      if (state === 'done' || state === 'failed') return { email, told: state, retries }
      if (performance.now() > deadline) return { email, told: 'unknown', retries }
      await delay(250)
    }
  } catch {
    return { email, told: 'unknown', retries }
  }
}

async function register(
  email: string,
  call: (
    path: string,
    init: () => Promise<RequestInit>,
  ) => Promise<{ status: number; body: Answer }>,
): Promise<string> {
  const send = (action: string) =>
    call(`/api/auth?action=${action}`, async () => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'correct horse', username: 'Fault' }),
    }))
  const registered = await send('register')
  const token = registered.body.token ?? (await send('login')).body.token
  if (token === undefined) throw new Error('no way in')
  return token
}
