import type { Arrangement } from '@starside/contract/arrangement.ts'
import type { RetryingClient } from './retrying-client.ts'

/** What is done with a finished selfie, in this order. */
export const adjustments = ['preview', 'others', 'choose', 'save'] as const
export type Adjustment = (typeof adjustments)[number]

/** What can be under way when something goes wrong: a sheet is made, or one of the adjustments. */
export type Act = 'sheet' | Adjustment

/** How many people are at each act right now, for faults that wait for one. */
export type ActsUnderWay = Map<Act, number>

/** What was done with one selfie, as its owner was told. */
export interface Adjusted {
  generationId: string
  done: Adjustment[]
  /** The variations that there were in the last answer. */
  variationIds: string[]
  /** What the owner had deleted in the end. */
  deleted: 'layers' | 'picture' | undefined
  /** Refusals that nobody should have got. */
  refused: string[]
}

/** What of a selfie adjusting needs. */
interface AdjustableSelfie {
  generationId: string
  variations: { variationId: string; arrangement: Arrangement | null }[]
}

/** Runs something and notes that it is under way. */
export async function during<Result>(
  underWay: ActsUnderWay,
  act: Act,
  run: () => Promise<Result>,
): Promise<Result> {
  const add = (count: number) => underWay.set(act, (underWay.get(act) ?? 0) + count)
  add(1)
  try {
    return await run()
  } finally {
    add(-1)
  }
}

/**
 * Does everything that can be done with a selfie, then deletes its parts or all of it. What is said in
 * between is added to `adjusted`, so that it is known also of somebody whom nobody answered any more.
 */
export async function adjustSelfie(
  { client, authorization, underWay }: AdjustOptions,
  { generationId, variations }: AdjustableSelfie,
  adjusted: Adjusted,
): Promise<void> {
  const path = `/api/generations/${generationId}`
  const [best] = variations
  const arrangement = best?.arrangement
  if (!arrangement) throw new Error('a selfie without a variation to adjust')
  const send = (method: string, of: string, body?: object) =>
    client.call(`${path}${of}`, async () => ({
      method,
      headers: {
        authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }))
  const calls: Record<Adjustment, () => ReturnType<typeof send>> = {
    preview: () => send('POST', '/preview', { arrangement, withPeople: true, isLarge: false }),
    others: () => send('POST', '/variations/more'),
    choose: () => {
      const last = adjusted.variationIds.at(-1) ?? best.variationId
      return send('PUT', '/chosen', { variationId: last })
    },
    save: () => send('POST', '/variations', { arrangement: { ...arrangement, warmth: 0.5 } }),
  }
  for (const adjustment of adjustments) {
    const { status, body } = await during(underWay, adjustment, calls[adjustment])
    // The first answer was lost, and what it told was done.
    const isDone = status === 200 || body.code === 'more_variations_made'
    if (isDone) adjusted.done.push(adjustment)
    else adjusted.refused.push(`${adjustment}: ${status} ${body.code ?? ''}`)
    const told = body.generation?.variations
    if (told !== undefined) adjusted.variationIds = told.map(({ variationId }) => variationId)
  }
  const isEven = Number.parseInt(generationId.slice(0, 2), 16) % 2 === 0
  const { status } = await send('DELETE', isEven ? '/layers' : '')
  // Where the answer was lost, the picture is unknown the second time.
  if (status === 200 || !isEven) adjusted.deleted = isEven ? 'layers' : 'picture'
  else adjusted.refused.push(`delete the layers: ${status}`)
}

interface AdjustOptions {
  client: RetryingClient
  authorization: string
  underWay: ActsUnderWay
}
