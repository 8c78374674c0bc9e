/**
 * `npm run test:faults`: hurts a whole installation under load, over and over, and proves after each
 * time that no credit was lost or doubled, no failure charged, no picture unpaid, and no file left.
 *
 *     ROUNDS=200 SEED=1 npm run test:faults -- [part of a fault's name]
 */
import { setTimeout as delay } from 'node:timers/promises'
import { sweepGenerations } from '@starside/server/generation/sweep.ts'
import { checkWorld, reviveDeadNodes } from './check-world.ts'
import { faults } from './faults.ts'
import { runLoad } from './load.ts'
import { openWorld } from './world.ts'
import type { World } from './world.ts'

const rounds = Number(process.env['ROUNDS'] ?? 200)
const people = Number(process.env['PEOPLE'] ?? 3)
const seed = Number(process.env['SEED'] ?? Date.now() % 100_000)
const filter = process.argv.slice(2).join(' ')
/** How long the load runs before a fault at most. */
const leadMs = 6_000
const sweepAheadMs = 2 * 60 * 60_000

const random = mulberry32(seed)
const chosen = faults.filter(({ name }) => name.includes(filter))
if (chosen.length === 0) throw new Error(`there is no fault with '${filter}' in its name`)
console.log(`${rounds} rounds, ${people} people at once, SEED=${seed}`)

const world = await openWorld()
const sums = { done: 0, failed: 0, unknown: 0, retries: 0, swept: 0, findings: 0 }
try {
  for (let round = 1; round <= rounds; round += 1) {
    // Every fault has its turn before any has its second.
    const fault = chosen[(round - 1) % chosen.length]
    if (fault === undefined) break
    const stop = new AbortController()
    const load = runLoad(people, { url: world.url, signal: stop.signal, pauseMs: 100 })
    const startedAt = performance.now()
    await delay(random() * leadMs)
    const findings: string[] = []
    try {
      await fault.run(world, random)
    } catch (error) {
      findings.push(String(error))
    }
    findings.push(...(await reviveDeadNodes(world)))
    stop.abort()
    const witnesses = await load
    const result = await checkWorld(world, witnesses)
    findings.push(...result.findings)
    const unknown = witnesses.filter(({ told }) => told === 'unknown').length
    const retries = witnesses.reduce((sum, witness) => sum + witness.retries, 0)
    sums.done += result.done
    sums.failed += result.failed
    sums.unknown += unknown
    sums.retries += retries
    sums.findings += findings.length
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
    console.log(
      `${String(round).padStart(3)}  ${fault.name.padEnd(42)} ${seconds.padStart(4)} s  ` +
        `${result.done} done, ${result.failed} failed and refunded, ${unknown} unanswered, ` +
        `${retries} retries, ${result.leftObjects} objects left`,
    )
    for (const finding of findings) console.log(`     ${finding}`)
  }
  sums.swept = await sweepLeftObjects(world)
} finally {
  await world.close()
}
console.log(
  `\n${sums.done} pictures, ${sums.failed} failures refunded, ${sums.unknown} unanswered, ` +
    `${sums.retries} retries; the sweep deleted ${sums.swept} objects that crashes had left.\n` +
    `${sums.findings} findings.`,
)
process.exit(sums.findings === 0 ? 0 : 1)

/** Runs the sweep as it will run in two hours, and proves that nothing is left after it. */
async function sweepLeftObjects({ truth, store, nodes }: World): Promise<number> {
  const before = (await checkWorld(world, [])).leftObjects
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
  const { leftObjects } = await checkWorld(world, [])
  if (leftObjects > 0) {
    console.log(`     ${leftObjects} objects are left after the sweep`)
    sums.findings += 1
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
