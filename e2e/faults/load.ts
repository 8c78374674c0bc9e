import { setTimeout as delay } from 'node:timers/promises'
import { generateForm } from '@starside/server/testing/generate-form.ts'
import { readPersonPhoto } from '@starside/server/testing/test-photo.ts'
import { adjustSelfie, during } from './adjusting.ts'
import type { ActsUnderWay, Adjusted } from './adjusting.ts'
import { openRetryingClient, signUp } from './retrying-client.ts'
import type { RetryingClient } from './retrying-client.ts'

/** What one person was told in the end. */
export interface ClientOutcome {
  email: string
  /** `done`: had a picture; `failed`: was told so; `unknown`: nobody answered in time. */
  told: 'done' | 'failed' | 'unknown'
  retries: number
  /** What was done with it afterwards; undefined where there was no picture. */
  adjusted: Adjusted | undefined
}

interface LoadOptions {
  url: () => string
  signal: AbortSignal
  pauseMs: number
  /** Told what is being done. */
  underWay: ActsUnderWay
}

/**
 * People who register, make a selfie each and adjust it, until `signal` aborts; those who have begun end
 * what they do. Each adds to `outcomes` what it was told.
 */
export async function runLoad(
  people: number,
  outcomes: ClientOutcome[],
  options: LoadOptions,
): Promise<void> {
  const person = async () => {
    while (!options.signal.aborted) {
      outcomes.push(await makeOneSelfie(options))
      await delay(options.pauseMs)
    }
  }
  await Promise.all(Array.from({ length: people }, person))
}

async function makeOneSelfie({ url, underWay }: LoadOptions): Promise<ClientOutcome> {
  const email = `${crypto.randomUUID()}@faults.example`
  const client = openRetryingClient(url)
  const outcome: ClientOutcome = { email, told: 'unknown', retries: 0, adjusted: undefined }
  try {
    const authorization = `Bearer ${await signUp(client, email)}`
    const made = await during(underWay, 'sheet', () => untilMade(client, authorization))
    outcome.told = made.state
    if (made.state === 'done' && made.variations.length > 0) {
      const { generationId, variations } = made
      const variationIds = variations.map(({ variationId }) => variationId)
      outcome.adjusted = { generationId, done: [], variationIds, deleted: undefined, refused: [] }
      await adjustSelfie({ client, authorization, underWay }, made, outcome.adjusted)
    }
  } catch {
    // Nobody answered in time: what was told until then still counts.
  }
  return { ...outcome, retries: client.retries }
}

/** Asks for a selfie and waits until it has ended. Throws when nobody answers in time. */
async function untilMade(client: RetryingClient, authorization: string) {
  const key = crypto.randomUUID()
  const { body: taken } = await client.call('/api/ai?action=generate', async () => ({
    method: 'POST',
    headers: { authorization, prefer: 'respond-async', 'idempotency-key': key },
    body: await generateForm({ userPhoto: await readPersonPhoto() }),
  }))
  const generationId = taken.generation?.generationId
  if (generationId === undefined)
    return { generationId: '', state: 'failed', variations: [] } as const
  for (;;) {
    const { body } = await client.call(`/api/generations/${generationId}`, async () => ({
      headers: { authorization },
    }))
    const { state, variations = [] } = body.generation ?? {}
    if (state === 'done' || state === 'failed') return { generationId, state, variations } as const
    if (performance.now() > client.deadline) throw new Error('the selfie has not ended in time')
    await delay(250)
  }
}
