import { setTimeout as delay } from 'node:timers/promises'
import { generateForm } from '@starside/server/testing/generate-form.ts'
import { readPersonPhoto } from '@starside/server/testing/test-photo.ts'
import { openRetryingClient, signUp } from './retrying-client.ts'

/** What one person was told in the end. */
export interface ClientOutcome {
  email: string
  /** `done`: had a picture; `failed`: was told so; `unknown`: nobody answered in time. */
  told: 'done' | 'failed' | 'unknown'
  retries: number
}

/**
 * People who register and make a selfie each, until `signal` aborts; those who have begun end what
 * they do. Each adds to `outcomes` what it was told.
 */
export async function runLoad(
  people: number,
  outcomes: ClientOutcome[],
  options: { url: () => string; signal: AbortSignal; pauseMs: number },
): Promise<void> {
  const person = async () => {
    while (!options.signal.aborted) {
      outcomes.push(await makeOneSelfie(options.url))
      await delay(options.pauseMs)
    }
  }
  await Promise.all(Array.from({ length: people }, person))
}

async function makeOneSelfie(url: () => string): Promise<ClientOutcome> {
  const email = `${crypto.randomUUID()}@faults.example`
  const client = openRetryingClient(url)
  const say = (told: ClientOutcome['told']): ClientOutcome => ({
    email,
    told,
    retries: client.retries,
  })
  try {
    const authorization = `Bearer ${await signUp(client, email)}`
    const key = crypto.randomUUID()
    const taken = await client.call('/api/ai?action=generate', async () => ({
      method: 'POST',
      headers: { authorization, prefer: 'respond-async', 'idempotency-key': key },
      body: await generateForm({ userPhoto: await readPersonPhoto() }),
    }))
    const generationId = taken.body.generation?.generationId
    if (generationId === undefined) return say('failed')
    for (;;) {
      const { body } = await client.call(`/api/generations/${generationId}`, async () => ({
        headers: { authorization },
      }))
      const state = body.generation?.state
      if (state === 'done' || state === 'failed') return say(state)
      if (performance.now() > client.deadline) return say('unknown')
      await delay(250)
    }
  } catch {
    return say('unknown')
  }
}
