import { setTimeout as delay } from 'node:timers/promises'
import { auditBooks } from '@starside/server/ledger/credits/audit.ts'
import { auditOrders } from '@starside/server/payments/audit-orders.ts'
import { sweptPrefixes } from '@starside/server/selfies/sweep.ts'
import { variationKeyColumns } from '@starside/server/selfies/variations/variation-queries.ts'
import { sql } from 'kysely'
import { checkVariations, isAdjusted } from './check-variations.ts'
import type { ClientOutcome } from './load.ts'
import { packageCredits } from './purchases.ts'
import type { Purchases } from './purchases.ts'
import type { Role, TestEnvironment } from './test-environment.ts'

export interface RoundResult {
  /** What must not be; empty when all is well. */
  findings: string[]
  /** Objects that nothing refers to: what the next sweep deletes. */
  leftObjects: number
  done: number
  failed: number
  /** Selfies with which everything was done. */
  adjusted: number
}

const settleMs = 120_000
const listTries = 10
/** A reader of payments that died has its lease for 45 seconds, and the search runs each minute. */
const creditMs = 300_000

/** Waits until no work is left, then holds what is stored against what must be. */
export async function checkEnvironment(
  environment: TestEnvironment,
  outcomes: ClientOutcome[],
): Promise<RoundResult> {
  const findings = [...(await reviveDeadNodes(environment))]
  if (!(await untilQuiet(environment))) findings.push('work is still going on after two minutes')
  const { database } = environment.truth
  findings.push(...(await auditBooks(database)).findings, ...(await auditOrders(database)))

  const { rows } = await sql<{ finding: string }>`
    select 'Selfie ' || generations.id || ' is done, its credit is ' || hold.state as finding
    from generations join credit_holds as hold on hold.id = generations.hold_id
    where generations.state = 'done' and hold.state <> 'captured'
    union all
    select 'Selfie ' || generations.id || ' has failed, its credit is ' || hold.state
    from generations join credit_holds as hold on hold.id = generations.hold_id
    where generations.state = 'failed' and hold.state not in ('released', 'expired')
    union all
    select 'Hold ' || hold.id || ' is captured for nothing'
    from credit_holds as hold
    where hold.state = 'captured'
      and not exists (select from generations where hold_id = hold.id and state = 'done')
    union all
    select 'Account ' || user_id || ' has ' || balance || ' credits, has bought ' || bought
      || ' and has made ' || made
    from (
      select account.user_id, account.balance - account.owed as balance,
        (select count(*) from generations
          where generations.user_id = account.user_id and state = 'done') as made,
        (select count(*) * ${packageCredits} from orders
          where orders.user_id = account.user_id and credited_at is not null) as bought
      from credit_accounts as account where account.kind = 'user'
    ) as people
    where balance + made <> 1 + bought
  `.execute(database)
  findings.push(...rows.map(({ finding }) => finding))
  findings.push(...(await findLies(environment, outcomes)))
  findings.push(...(await checkVariations(database, outcomes)))
  const objects = await compareObjects(environment)
  findings.push(...objects.missing)
  return {
    findings,
    leftObjects: objects.left,
    done: outcomes.filter(({ told }) => told === 'done').length,
    failed: outcomes.filter(({ told }) => told === 'failed').length,
    adjusted: outcomes.filter(isAdjusted).length,
  }
}

/**
 * Waits until every paid order is credited, which the search for lost callbacks may take minutes
 * for, and proves that no other order is.
 */
export async function checkPurchases(
  environment: TestEnvironment,
  purchases: Purchases,
): Promise<string[]> {
  const deadline = performance.now() + creditMs
  for (;;) {
    const rows = await environment.truth.database
      .selectFrom('orders')
      .select('id')
      .where('credited_at', 'is not', null)
      .execute()
    const credited = new Set(rows.map(({ id }) => id))
    const open = purchases.paid.filter((id) => !credited.delete(id))
    if (open.length > 0 && performance.now() < deadline) {
      await delay(1_000)
      continue
    }
    return [
      ...open.map((id) => `order ${id} is paid, but not credited`),
      ...[...credited].map((id) => `order ${id} is credited, but not paid`),
      ...(await auditBooks(environment.truth.database)).findings,
      ...(await auditOrders(environment.truth.database)),
    ]
  }
}

/**
 * A node that ended by itself, or never gets ready again, is a finding: where nobody starts it anew it
 * would stay away. It is started here, so that the round can end.
 */
export async function reviveDeadNodes(environment: TestEnvironment): Promise<string[]> {
  const findings: string[] = []
  for (const [role, node] of Object.entries(environment.nodes) as [
    Role,
    TestEnvironment['nodes'][Role],
  ][]) {
    const { exitCode, signalCode } = node.process
    if (exitCode !== null || signalCode !== null) {
      findings.push(
        `the ${role} ended by itself (${exitCode ?? signalCode}): ${node.output().slice(-600)}`,
      )
      await environment.startNode(role)
    } else if (!(await isReadySoon(node.url))) {
      findings.push(`the ${role} does not get ready again: ${node.output().slice(-600)}`)
    }
  }
  return findings
}

async function isReadySoon(url: string): Promise<boolean> {
  const deadline = performance.now() + 45_000
  while (performance.now() < deadline) {
    const ok = await fetch(`${url}/api/health/ready`).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return true
    await delay(200)
  }
  return false
}

async function untilQuiet(environment: TestEnvironment): Promise<boolean> {
  const deadline = performance.now() + settleMs
  while (performance.now() < deadline) {
    const { rows } = await sql<{ open: string }>`
      select (select count(*) from generations where state = 'running')
        + (select count(*) from pgboss.job where name = 'generation' and state < 'completed')
        + (select count(*) from generations
            where state <> 'running' and user_photo_key is not null) as open
    `.execute(environment.truth.database)
    if (Number(rows[0]?.open) === 0) return true
    await delay(250)
  }
  return false
}

/** Nobody was told of a picture that isn't there, or of a failure that was one. */
async function findLies(
  environment: TestEnvironment,
  outcomes: ClientOutcome[],
): Promise<string[]> {
  const told = new Map(outcomes.map((outcome) => [outcome.email, outcome.told]))
  const rows = await environment.truth.database
    .selectFrom('users')
    .innerJoin('generations', 'generations.user_id', 'users.id')
    .select(['users.email', 'generations.state'])
    .where('users.email', 'in', [...told.keys(), ''])
    .execute()
  return rows.flatMap(({ email, state }) => {
    const said = told.get(email)
    return said === undefined || said === 'unknown' || said === state
      ? []
      : [`${email} was told ${said}, and the selfie is ${state}`]
  })
}

async function compareObjects(
  environment: TestEnvironment,
): Promise<{ missing: string[]; left: number }> {
  const { database } = environment.truth
  const rows = await database
    .selectFrom('generations')
    .select(['clean_key', 'watermarked_key', 'clean_thumbnail_key', 'watermarked_thumbnail_key'])
    .select(['user_photo_key', 'star_photo_key'])
    .execute()
  const variations = await database.selectFrom('variations').select(variationKeyColumns).execute()
  const layers = await database.selectFrom('generation_layers').select('object_key').execute()
  const named = [...rows, ...variations, ...layers].flatMap((row) => Object.values(row))
  const wanted = new Set(named.filter((key) => key !== null))
  let left = 0
  for (const prefix of sweptPrefixes) {
    for (const key of await listKeys(environment, prefix)) if (!wanted.delete(key)) left += 1
  }
  return { missing: [...wanted].map((key) => `the object ${key} is missing`), left }
}

/** The S3 server of the tests answers 500 when an object goes away under its listing. */
async function listKeys({ store }: TestEnvironment, prefix: string): Promise<string[]> {
  for (let triesLeft = listTries; ; triesLeft -= 1) {
    try {
      const keys: string[] = []
      for await (const { key } of store.list(prefix)) keys.push(key)
      return keys
    } catch (error) {
      if (triesLeft === 0) throw error
      await delay(1_000)
    }
  }
}
