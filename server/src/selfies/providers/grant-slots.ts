import { sql } from 'kysely'
import { cardName } from '../../vendors/models/model-description.ts'
import type { SelfieParts } from '../parts.ts'
import { inTransaction } from '../../platform/db/database.ts'
import type { Queryable, Transaction } from '../../platform/db/database.ts'
import { attemptQueue } from './attempt-job.ts'
import type { AttemptRow } from './attempt-queries.ts'
import { moveAttempt, slotStates } from './attempt-states.ts'
import { circuitState } from './circuit.ts'
import { decideSlot } from './decide-slot.ts'
import { failAttempt } from './fail-attempt.ts'
import type { AttemptFailure } from './fail-attempt.ts'
import { requestPriceOf } from './picture-count.ts'

/** One node at a time grants slots, so that limits and the spend cap are exact. */
const advisoryLockKey = 0x7475726e
/** Read beyond what can get a slot: they may have to go on to another provider. */
const candidatesBeyondLimit = 50
/** After this long a request that was given up no longer counts against its user. */
const unfinishedMs = 60 * 60_000

/**
 * Grants slots to waiting requests: premium users first, then by age, as many as each provider's
 * limit leaves. Requests whose provider can't be asked at all go on to the next one. A node
 * that finds another one at it leaves it to that.
 */
export async function grantSlots(parts: SelfieParts): Promise<void> {
  const skipped = await inTransaction(parts.database, (transaction) =>
    grantLocked(parts, transaction),
  )
  for (const { attemptId, failure } of skipped) await failAttempt(parts, attemptId, failure)
}

/** Answers the attempts that are to go on to the next provider. */
async function grantLocked(
  parts: SelfieParts,
  transaction: Transaction,
): Promise<{ attemptId: string; failure: AttemptFailure }[]> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${advisoryLockKey}) as locked
  `.execute(transaction)
  if (rows[0]?.locked !== true) return []
  const now = parts.clock()
  const deadline = new Date(now.getTime() + parts.images.settings.attemptTimeoutMs)
  const candidates = await readCandidates(parts, transaction, now)
  if (candidates.length === 0) return []
  const facts = await readFacts(parts, transaction, candidates, now)
  const skipped: { attemptId: string; failure: AttemptFailure }[] = []
  for (const attempt of candidates) {
    const provider = parts.images.find(cardName(attempt))
    if (provider === undefined) {
      skipped.push(skip(attempt, 'provider_down', 'it is not set up any more'))
      continue
    }
    const price = requestPriceOf(provider, parts.images.settings)
    const decision = decideSlot({ ...facts.of(attempt), price }, parts.images.settings)
    if (decision.act === 'skip') skipped.push(skip(attempt, decision.kind, decision.detail))
    if (decision.act !== 'grant') continue
    const { id: attemptId, priority } = attempt
    await moveAttempt(transaction, 'grant', attemptId)
      .set({ cost_micro_usd: price, deadline_at: deadline })
      .execute()
    await parts.jobs.enqueue(transaction, attemptQueue.name, { attemptId }, { priority })
    facts.count(attempt, price)
  }
  return skipped
}

/** The first of each provider's backlog, so that a long one holds up no other. */
async function readCandidates(parts: SelfieParts, transaction: Transaction, now: Date) {
  const waiting = transaction
    .selectFrom('generation_attempts')
    .where('state', '=', 'waiting')
    .where('next_look_at', '<=', now)
  const providers = await waiting.select(['provider', 'model']).distinct().execute()
  const lines = providers.map(({ provider, model }) =>
    waiting
      .selectAll()
      .where('provider', '=', provider)
      .where('model', '=', model)
      .orderBy('priority', 'desc')
      .orderBy('created_at')
      .limit(parts.images.settings.atOnceMax + candidatesBeyondLimit)
      .forUpdate()
      .skipLocked()
      .execute(),
  )
  return (await Promise.all(lines)).flat()
}

function skip(attempt: AttemptRow, kind: AttemptFailure['kind'], detail: string) {
  const failure = { kind, detail, maybeCharged: false, isSkipped: true }
  return { attemptId: attempt.id, failure }
}

/** Reads all counts once for the whole round, and keeps them as slots are granted. */
async function readFacts(
  parts: SelfieParts,
  transaction: Transaction,
  candidates: AttemptRow[],
  now: Date,
) {
  const underWay = new Map<string, number>()
  for (const row of await countUnderWay(transaction)) underWay.set(cardName(row), row.count)
  const circuits = new Map(
    (await transaction.selectFrom('image_providers').selectAll().execute()).map((row) => [
      row.name,
      row,
    ]),
  )
  const users = [...new Set(candidates.map(({ user_id }) => user_id))]
  const unfinished = await countUnfinished(transaction, users, now)
  let spentToday = await sumSpent(transaction, now)
  return {
    of: (attempt: AttemptRow) => ({
      underWay: underWay.get(cardName(attempt)) ?? 0,
      circuit: circuitState(circuits.get(cardName(attempt)), parts.images.settings, now),
      spentToday,
      unfinishedOfUser: unfinished.get(attempt.user_id) ?? 0,
    }),
    count(attempt: AttemptRow, price: number) {
      underWay.set(cardName(attempt), (underWay.get(cardName(attempt)) ?? 0) + 1)
      spentToday += price
    },
  }
}

function countUnderWay(transaction: Transaction) {
  return transaction
    .selectFrom('generation_attempts')
    .select(['provider', 'model', sql<number>`count(*)::integer`.as('count')])
    .where('state', 'in', slotStates)
    .groupBy(['provider', 'model'])
    .execute()
}

async function countUnfinished(transaction: Transaction, users: string[], now: Date) {
  const rows = await transaction
    .selectFrom('generation_attempts')
    .select(['user_id', sql<number>`count(*)::integer`.as('count')])
    .where('user_id', 'in', users)
    .where('state', '=', 'failed')
    .where('answered_at', 'is', null)
    .where('cost_micro_usd', '>', 0)
    .where('submitted_at', '>', new Date(now.getTime() - unfinishedMs))
    .groupBy('user_id')
    .execute()
  return new Map(rows.map((row) => [row.user_id, row.count]))
}

/** What was or may have been charged since midnight (UTC), in millionths of a US dollar. */
export async function sumSpent(database: Queryable, now: Date) {
  const midnight = new Date(now)
  midnight.setUTCHours(0, 0, 0, 0)
  const { spent } = await database
    .selectFrom('generation_attempts')
    .select(sql<string>`coalesce(sum(cost_micro_usd), 0)`.as('spent'))
    .where('created_at', '>=', midnight)
    .where('cost_micro_usd', '>', 0)
    .executeTakeFirstOrThrow()
  return Number(spent)
}
