import type { Queryable } from '../../platform/db/database.ts'
import type { Selectable } from 'kysely'
import type { GenerationAttemptsTable } from '../../platform/db/tables.d.ts'
import type { Submission } from '../../vendors/hosted-provider.ts'

/**
 * The queue of short network work for hosted providers: requests, fetching pictures, a direct
 * provider's whole call. Its jobs hold a socket, none of the few places where pictures are made here.
 */
export const attemptQueue = { name: 'image-attempt', retryLimit: 3, expireInSeconds: 900 }

/** The topic that is published when slots may have become free or wanted. */
export const slotsTopic = 'image-slots'

export type AttemptState = Selectable<GenerationAttemptsTable>['state']

/*
 * The life of an attempt, one image request at one hosted provider. It is submitted once, whatever
 * is repeated: from `submitting` on it may have reached the vendor, and nothing leads back to a state
 * from which it would be sent, but for a request that the vendor surely turned away.
 *
 *                 ┌──────────────────── requeue ◀───────────────────┐
 *                 ▼                                                 │
 *   begin ▶ waiting ── grant ▶ granted ── submit ▶ submitting ──────┤
 *                                                                   ├── accept ▶ submitted
 *                                                                   ├── lose ▶ submit_unknown
 *                                                                   └── store ▶ fetched
 *   submit_unknown ── accept ▶ submitted
 *   submitting, submitted, submit_unknown ── answer ▶ answered
 *   submitting, answered ── store ▶ fetched ── complete ▶ succeeded
 *   every state that isn't final ── fail ▶ failed
 *
 *   waiting         for a slot: within the provider's limit, the spend cap and the circuit
 *   granted         has a slot, nothing was sent
 *   submitting      something may have been sent
 *   submitted       the vendor accepted it, and has given it an id
 *   submit_unknown  perhaps accepted: a webhook may still tell
 *   answered        the vendor has made the picture
 *   fetched         we have the picture, the engine finishes it
 *   succeeded       final: its picture is the generation's
 *   failed          final: without a picture
 */

/** States that take one of the provider's slots: the vendor may be at work. */
export const slotStates = ['granted', 'submitting', 'submitted', 'submit_unknown'] as const

/** Each transition with the states it starts from, the one it leads to, and who moves it. */
export const attemptTransitions = {
  /** `grant-slots.ts`, on one node at a time. */
  grant: { from: ['waiting'], to: 'granted' },
  /** `run-attempt.ts`, before anything is sent. */
  submit: { from: ['granted'], to: 'submitting' },
  /** `run-attempt.ts`, when the vendor turned it away for now. */
  requeue: { from: ['submitting'], to: 'waiting' },
  /** `run-attempt.ts`, when the vendor has answered with an id. */
  accept: { from: ['submitting', 'submit_unknown'], to: 'submitted' },
  /** `run-attempt.ts`, when the connection or the run died before the answer. */
  lose: { from: ['submitting'], to: 'submit_unknown' },
  /** `end-attempt.ts`, by a webhook or a poll, whichever is first. */
  answer: { from: ['submitting', 'submitted', 'submit_unknown'], to: 'answered' },
  /** `fetch-output.ts`; from `submitting` by a provider that answers with the picture itself. */
  store: { from: ['submitting', 'answered'], to: 'fetched' },
  /** `../finish-generation.ts`, in the transaction that captures the credit. */
  complete: { from: ['fetched'], to: 'succeeded' },
  /** `end-attempt.ts`, in the transaction that goes on to the next provider or ends it all. */
  fail: { from: ['waiting', ...slotStates, 'answered', 'fetched'], to: 'failed' },
} as const satisfies Record<string, { from: readonly AttemptState[]; to: AttemptState }>

export type AttemptTransition = keyof typeof attemptTransitions

/** States in which time runs out: before the vendor has answered. */
export const timedStates: readonly AttemptState[] = ['waiting', ...slotStates]

export const finalStates: readonly AttemptState[] = ['succeeded', 'failed']

/** An update that moves an attempt; finds no row in another state: then somebody else was first. */
export function moveAttempt(database: Queryable, name: AttemptTransition, attemptId: string) {
  const { from, to } = attemptTransitions[name]
  return database
    .updateTable('generation_attempts')
    .set({ state: to })
    .where('id', '=', attemptId)
    .where('state', 'in', [...from])
}

export type AttemptRow = Selectable<GenerationAttemptsTable>

/** Where the vendor keeps an attempt's pictures. */
export function outputUrlsOf(row: Pick<AttemptRow, 'output_url' | 'further_output_urls'>) {
  return row.output_url === null ? [] : [row.output_url, ...row.further_output_urls]
}

/** The objects that an attempt's pictures are kept as until they are finished. */
export function outputKeysOf(row: Pick<AttemptRow, 'output_key' | 'further_output_keys'>) {
  return row.output_key === null ? [] : [row.output_key, ...row.further_output_keys]
}

/** What the vendor answered when it accepted the request; undefined before that. */
export function submissionOf(attempt: AttemptRow): Submission | undefined {
  const { request_id: requestId, status_url: statusUrl } = attempt
  const { response_url: responseUrl, cancel_url: cancelUrl } = attempt
  if (requestId === null || statusUrl === null || responseUrl === null) return undefined
  return { requestId, statusUrl, responseUrl, cancelUrl: cancelUrl ?? '' }
}
