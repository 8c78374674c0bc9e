/**
 * `npm run test:faults`: hurts a whole installation under load, over and over, and proves after each
 * time that no credit was lost or doubled, no failure charged, no picture unpaid, no payment without
 * its credits, no variation lost that somebody was told of, and no file left. A round goes on until it has
 * made a picture, adjusted one, and paid an order.
 *
 *     ROUNDS=200 SEED=1 PEOPLE=3 BUYERS=2 STORE=s3 npm run test:faults -- [part of a fault's name]
 */
import { setTimeout as delay } from 'node:timers/promises'
import { sweepGenerations } from '@starside/server/selfies/sweep.ts'
import type { ActsUnderWay } from './adjusting.ts'
import { checkPurchases, checkEnvironment, reviveDeadNodes } from './check-environment.ts'
import { isAdjusted } from './check-variations.ts'
import { faults } from './faults.ts'
import type { Fault } from './faults.ts'
import { runLoad } from './load.ts'
import type { ClientOutcome } from './load.ts'
import { runPurchases } from './purchases.ts'
import type { Purchases } from './purchases.ts'
import { openTestEnvironment } from './test-environment.ts'
import type { TestEnvironment } from './test-environment.ts'

const rounds = Number(process.env['ROUNDS'] ?? 200)
const people = Number(process.env['PEOPLE'] ?? 3)
const buyers = Number(process.env['BUYERS'] ?? 2)
const seed = Number(process.env['SEED'] ?? Date.now() % 100_000)
const storeKind = process.env['STORE'] === 'folder' ? 'folder' : 's3'
const filter = process.argv.slice(2).join(' ').toLowerCase()
/** How long the load runs before a fault at most. */
const leadMs = 6_000
const sweepAheadMs = 2 * 60 * 60_000
/** How long the load goes on after a fault at most until it has proven something. */
const proofMs = 300_000

if (!faults.some(({ name }) => name.toLowerCase().includes(filter))) {
  console.error(`There is no fault with '${filter}' in its name. There are:`)
  for (const { name } of faults) console.error(`  ${name}`)
  process.exit(2)
}

const random = mulberry32(seed)
const sums = { done: 0, failed: 0, unknown: 0, adjusted: 0, retries: 0, swept: 0, findings: 0 }
const purchases = noPurchases()

console.log(
  `${rounds} rounds, ${people} people and ${buyers} buyers at once, ${storeKind} store, SEED=${seed}`,
)
const environment = await openTestEnvironment({ storeKind })
const chosen = faults.filter(
  ({ name, isPossible }) =>
    name.toLowerCase().includes(filter) && isPossible?.(environment) !== false,
)
try {
  if (chosen.length === 0) report([`the fault '${filter}' is not possible on this machine`])
  for (let round = 1; round <= rounds; round += 1) {
    // Every fault has its turn before any has its second.
    const fault = chosen[(round - 1) % chosen.length]
    if (fault !== undefined) await runRound(round, fault)
  }
  report(await checkPurchases(environment, purchases))
  sums.swept = await sweepLeftObjects(environment)
} finally {
  await environment.close()
}
console.log(
  `\n${sums.done} pictures, ${sums.failed} failures refunded, ${sums.unknown} unanswered; ` +
    `${sums.adjusted} adjusted in every way; ` +
    `${purchases.paid.length} orders paid and credited, ${purchases.unpaid.length} left unpaid; ` +
    `${sums.retries + purchases.retries} retries; ` +
    `the sweep deleted ${sums.swept} objects that crashes had left.\n` +
    `${sums.findings} findings.`,
)
process.exit(sums.findings === 0 ? 0 : 1)

/** Load, a fault at a random moment of it, and the proof that all is as it must be. */
async function runRound(round: number, fault: Fault): Promise<void> {
  const stop = new AbortController()
  const { url, gatewayUrl } = environment
  const outcomes: ClientOutcome[] = []
  const bought = noPurchases()
  const underWay: ActsUnderWay = new Map()
  const load = runLoad(people, outcomes, { url, signal: stop.signal, pauseMs: 100, underWay })
  const buying = runPurchases(buyers, bought, {
    url,
    gatewayUrl,
    signal: stop.signal,
    random,
    pauseMs: 100,
  })
  const startedAt = performance.now()
  await delay(random() * leadMs)
  const findings: string[] = []
  try {
    await fault.run(environment, random, underWay)
  } catch (error) {
    findings.push(String(error))
  }
  findings.push(...(await reviveDeadNodes(environment)))
  findings.push(...(await untilProven(outcomes, bought)))
  stop.abort()
  await load
  await buying
  const result = await checkEnvironment(environment, outcomes)
  findings.push(...bought.problems, ...result.findings)
  const unknown = outcomes.filter(({ told }) => told === 'unknown').length
  const retries = outcomes.reduce((sum, outcome) => sum + outcome.retries, bought.retries)
  sums.done += result.done
  sums.failed += result.failed
  sums.unknown += unknown
  sums.adjusted += result.adjusted
  sums.retries += retries - bought.retries
  purchases.paid.push(...bought.paid)
  purchases.unpaid.push(...bought.unpaid)
  purchases.retries += bought.retries
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
  console.log(
    `${String(round).padStart(3)}  ${fault.name.padEnd(38)} ${seconds.padStart(4)} s  ` +
      `${result.done} done, ${result.failed} failed and refunded, ${unknown} unanswered, ` +
      `${result.adjusted} adjusted, ` +
      `${bought.paid.length} paid, ${retries} retries, ${result.leftObjects} objects left`,
  )
  report(findings)
}

/** A round in which no picture was made or adjusted, or no order was paid, says nothing about them. */
async function untilProven(outcomes: ClientOutcome[], bought: Purchases): Promise<string[]> {
  const deadline = performance.now() + proofMs
  for (;;) {
    const missing = [
      ...(people === 0 || outcomes.some(({ told }) => told === 'done') ? [] : ['picture was made']),
      ...(people === 0 || outcomes.some(isAdjusted) ? [] : ['picture was adjusted']),
      ...(buyers === 0 || bought.paid.length > 0 ? [] : ['order was paid']),
    ]
    if (missing.length === 0) return []
    if (performance.now() > deadline) {
      return missing.map((what) => `no ${what}: the round proves nothing`)
    }
    await delay(250)
  }
}

function noPurchases(): Purchases {
  return { paid: [], unpaid: [], retries: 0, problems: [] }
}

function report(findings: string[]): void {
  sums.findings += findings.length
  for (const finding of findings) console.log(`     ${finding}`)
}

/** Runs the sweep as it will run in two hours, and proves that nothing is left after it. */
async function sweepLeftObjects({ truth, store, nodes }: TestEnvironment): Promise<number> {
  const before = (await checkEnvironment(environment, [])).leftObjects
  const parts = {
    database: truth.database,
    store,
    clock: () => new Date(Date.now() + sweepAheadMs),
    log: console,
    nodes,
  }
  // The sweep needs no other parts of a running program.
  await sweepGenerations(
    parts as unknown as Parameters<typeof sweepGenerations>[0],
    AbortSignal.timeout(60_000),
  )
  const { leftObjects } = await checkEnvironment(environment, [])
  if (leftObjects > 0) {
    report([`${leftObjects} objects are left after the sweep`])
  }
  return before - leftObjects
}

/** A small random generator whose run can be repeated (Tommy Ettinger, public domain). */
function mulberry32(start: number): () => number {
  let state = start
  return () => {
    state = Math.trunc(state + 0x6d2b79f5)
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
