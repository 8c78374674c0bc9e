import { sql } from 'kysely'
import { cardName, requestPriceOf } from '../../vendors/models/model-description.ts'
import type { SelfieParts } from '../parts.ts'
import { inTransaction } from '../../platform/db/database.ts'
import type { Queryable, Transaction } from '../../platform/db/database.ts'
import type { HostedErrorKind } from '../../vendors/hosted-error.ts'
import { attemptQueue, moveAttempt, slotStates } from './attempts.ts'
import type { AttemptRow } from './attempts.ts'
import { circuitState } from './circuit.ts'
import type { CircuitState } from './circuit.ts'
import { failAttempt } from './end-attempt.ts'
import type { AttemptFailure } from './end-attempt.ts'
import type { ImageSettings } from './image-settings.ts'

/** One node at a time grants slots, so that limits and the spend cap are exact. */
const advisoryLockKey = 0x7475726e
/** Read beyond what can get a slot: they may have to go on to another provider. */
const candidatesBeyondLimit = 50
/** After this long a request that was given up no longer counts against its user. */
const unfinishedMs = 60 * 60_000

/**
 * Grants slots: premium users first, then by age, as many as each provider's limit leaves. Requests
 * whose provider can't be asked go on to the next. One node does it at a time; others leave it to that.
 */
export async function grantSlots(parts: SelfieParts): Promise<void> {
  const skipped = await inTransaction(parts.database, (transaction) =>
    grantLocked(parts, transaction),
  )
  for (const { attemptId, failure } of skipped) await failAttempt(parts, attemptId, failure)
}

/** Answers the attempts that are to go on to the next provider. */
async function grantLocked(parts: SelfieParts, transaction: Transaction) {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${advisoryLockKey}) as locked
  `.execute(transaction)
  if (rows[0]?.locked !== true) return []
  const now = parts.clock()
  const deadline = new Date(now.getTime() + parts.images.settings.attemptTimeoutMs)
  const candidates = await readCandidates(parts, transaction, now)
  if (candidates.length === 0) return []
  const granted = new Map<string, number>()
  let spentToday = await sumSpent(transaction, now)
  const skipped: { attemptId: string; failure: AttemptFailure }[] = []
  for (const attempt of candidates) {
    const { id: attemptId, priority, unfinishedOfUser } = attempt
    const name = cardName(attempt)
    const provider = parts.images.find(name)
    if (provider === undefined) {
      skipped.push(skip(attempt, 'provider_down', 'it is not set up any more'))
      continue
    }
    const price = requestPriceOf(provider, parts.images.settings)
    const circuit = circuitState(attempt, parts.images.settings, now)
    const underWay = attempt.underWay + (granted.get(name) ?? 0)
    const facts = { underWay, circuit, price, spentToday, unfinishedOfUser }
    const decision = decideSlot(facts, parts.images.settings)
    if (decision.act === 'skip') skipped.push(skip(attempt, decision.kind, decision.detail))
    if (decision.act !== 'grant') continue
    await moveAttempt(transaction, 'grant', attemptId)
      .set({ cost_micro_usd: price, deadline_at: deadline })
      .execute()
    await parts.jobs.enqueue(transaction, attemptQueue.name, { attemptId }, { priority })
    granted.set(name, (granted.get(name) ?? 0) + 1)
    spentToday += price
  }
  return skipped
}

/** A waiting request with what is known of its provider and its user when a round begins. */
interface Candidate extends AttemptRow, Pick<SlotFacts, 'underWay' | 'unfinishedOfUser'> {
  failures_in_row: number
  open_until: Date | null
}

/** The first of each provider's backlog, so that a long one holds up no other. */
async function readCandidates(parts: SelfieParts, transaction: Transaction, now: Date) {
  const { rows } = await sql<Candidate>`
    with ranked as (
      select id,
        row_number() over (partition by provider, model order by priority desc, created_at) as place
      from generation_attempts
      where state = 'waiting' and next_look_at <= ${now}
    ),
    under_way as (
      select provider, model, count(*)::integer as count
      from generation_attempts
      where state = any (${slotStates}::text[])
      group by provider, model
    )
    select attempt.*, coalesce(under_way.count, 0) as "underWay",
      coalesce(circuit.failures_in_row, 0) as failures_in_row, circuit.open_until,
      (
        select count(*)::integer from generation_attempts as other
        where other.user_id = attempt.user_id and other.state = 'failed'
          and other.answered_at is null and other.cost_micro_usd > 0
          and other.submitted_at > ${new Date(now.getTime() - unfinishedMs)}
      ) as "unfinishedOfUser"
    from ranked
    join generation_attempts as attempt on attempt.id = ranked.id
    left join under_way
      on under_way.provider = attempt.provider and under_way.model = attempt.model
    left join image_providers as circuit
      on circuit.name = attempt.provider || ':' || attempt.model
    where ranked.place <= ${parts.images.settings.atOnceMax + candidatesBeyondLimit}
    order by attempt.priority desc, attempt.created_at
    for update of attempt skip locked
  `.execute(transaction)
  return rows
}

function skip(attempt: AttemptRow, kind: AttemptFailure['kind'], detail: string) {
  const failure = { kind, detail, maybeCharged: false, isSkipped: true }
  return { attemptId: attempt.id, failure }
}

/** What was or may have been charged since midnight (UTC), in millionths of a US dollar. */
export async function sumSpent(database: Queryable, now: Date) {
  const midnight = new Date(now)
  midnight.setUTCHours(0, 0, 0, 0)
  const { rows } = await sql<{ spent: string }>`
    select coalesce(sum(cost_micro_usd), 0) as spent from generation_attempts
    where created_at >= ${midnight} and cost_micro_usd > 0`.execute(database)
  return Number(rows[0]?.spent)
}

/** What is known when an image request asks for its slot. */
export interface SlotFacts {
  /** Requests under way at this provider, over all nodes. */
  underWay: number
  circuit: CircuitState
  /** Millionths of a US dollar. */
  price: number
  spentToday: number
  /** Requests of this user that were given up and may still run at the vendor's. */
  unfinishedOfUser: number
}

export type SlotDecision =
  | { act: 'grant' }
  | { act: 'wait' }
  /** The provider is passed over; the next of the chain is asked. */
  | { act: 'skip'; kind: HostedErrorKind; detail: string }

/** Whether a request may be submitted now. Pure, so that all limits stand in one place. */
export function decideSlot(
  facts: SlotFacts,
  settings: Pick<ImageSettings, 'atOnceMax' | 'dailySpendMaxMicroUsd' | 'unfinishedPerUserMax'>,
): SlotDecision {
  if (facts.circuit === 'open') return skipFor('provider_down', 'its circuit is open')
  if (facts.unfinishedOfUser >= settings.unfinishedPerUserMax) {
    return skipFor('provider_busy', 'too many requests of this user are unfinished')
  }
  const spendMax = settings.dailySpendMaxMicroUsd
  if (spendMax !== undefined && facts.spentToday + facts.price > spendMax) {
    return skipFor('provider_busy', 'the daily spend cap is reached')
  }
  const atOnceMax = facts.circuit === 'half-open' ? 1 : settings.atOnceMax
  return facts.underWay < atOnceMax ? { act: 'grant' } : { act: 'wait' }
}

function skipFor(kind: HostedErrorKind, detail: string): SlotDecision {
  return { act: 'skip', kind, detail }
}
