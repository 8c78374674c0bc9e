import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditBooks } from './ledger/credits/audit.ts'
import { beginSelfie, registerAt } from './testing/begin-selfie.ts'
import { openTestDatabase } from './testing/open-test-database.ts'
import { openTestS3 } from './testing/open-test-s3.ts'
import type { TestS3 } from './testing/open-test-s3.ts'
import { runProgram } from './testing/run-program.ts'
import type { RunningProgram } from './testing/run-program.ts'

/*
 * Two API nodes and a worker of the real program with the real engine, each with a data folder of its
 * own, on one PostgreSQL and one S3 server.
 */

let db: Awaited<ReturnType<typeof openTestDatabase>>
let s3: TestS3
let folder: string
const nodes: RunningProgram[] = []
beforeAll(async () => {
  db = await openTestDatabase(4)
  s3 = await openTestS3()
  folder = await mkdtemp(join(tmpdir(), 'starside-nodes-'))
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.kill()))
  await db[Symbol.asyncDispose]()
  await s3[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function startNode(role: 'api' | 'worker', name: string): Promise<RunningProgram> {
  const node = await runProgram({
    DATABASE_URL: db.url,
    DATABASE_CONNECTIONS_MAX: '4',
    DATA_DIR: join(folder, name),
    SIGNING_SECRET: 'the same on every node, 32 characters',
    ROLE: role,
    GENERATIONS_AT_ONCE: '1',
    STOP_DELAY_SECONDS: '1',
    ...s3.variables,
  })
  nodes.push(node)
  return node
}

/** Asks whichever node is ready, as a load balancer that looks every 50 ms does. */
function balance(apis: RunningProgram[]) {
  let ready: RunningProgram[] = []
  let turn = 0
  const stop = new AbortController()
  const look = async () => {
    while (!stop.signal.aborted) {
      const answers = await Promise.all(
        apis.map((node) =>
          fetch(`${node.url}/api/health/ready`).then(
            ({ ok }) => ok,
            () => false,
          ),
        ),
      )
      ready = apis.filter((_, index) => answers[index])
      await delay(50)
    }
  }
  const looking = look()
  return {
    /** Resolves when nobody is led to a node any more that has left the list. */
    async hasLeft(node: RunningProgram): Promise<void> {
      while (ready.includes(node)) await delay(10)
    },
    async url(): Promise<string> {
      while (ready.length === 0) await delay(10)
      turn += 1
      return ready[turn % ready.length]?.url ?? ''
    },
    async end() {
      stop.abort()
      await looking
    },
  }
}

test('progress, pictures and a rolling restart of all nodes, whichever node is asked', async () => {
  const [apis, workers] = await Promise.all([
    Promise.all([startNode('api', 'a'), startNode('api', 'b')]),
    startNode('worker', 'c').then((node) => [node]),
  ])
  const [first, second] = apis
  const [worker] = workers
  if (!first || !second || !worker) throw new Error('three nodes were started')

  // Registered and taken on by one API node, made by a worker, watched and fetched at the other.
  const token = await registerAt(first.url)
  // It begins when it is watched, however long that takes.
  worker.process.kill('SIGSTOP')
  const generationId = await beginSelfie(first.url, token)
  const stream = await fetch(`${second.url}/api/generations/${generationId}/events`, {
    headers: { authorization: `Bearer ${token}` },
  })
  worker.process.kill('SIGCONT')
  const events = [...(await stream.text()).matchAll(/^data: (.*)$/gm)].map(
    ([, json]) => JSON.parse(json ?? '') as { stage: string; generation?: { imageUrl: string } },
  )
  expect(new Set(events.map(({ stage }) => stage)).size).toBeGreaterThan(2)
  const imageUrl = events.at(-1)?.generation?.imageUrl ?? ''
  const picture = await fetch(second.url + imageUrl)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg'])

  const balancer = balance(apis)
  const load = new AbortController()
  const reads: number[] = []
  const read = async () => {
    while (!load.signal.aborted) {
      const response = await fetch(`${await balancer.url()}/api/user?action=profile`, {
        headers: { authorization: `Bearer ${token}` },
      })
      await response.arrayBuffer()
      reads.push(response.status)
      await delay(50)
    }
  }
  const readers = [read(), read(), read()]
  const people: { token: string; generationId: string }[] = []
  for (const [group, role, name] of [
    [apis, 'api', 'e'],
    [workers, 'worker', 'f'],
    [apis, 'api', 'g'],
  ] as const) {
    const person = await registerAt(await balancer.url())
    people.push({ token: person, generationId: await beginSelfie(await balancer.url(), person) })
    const leaving = group.shift()
    if (leaving === undefined) throw new Error('a node is there to be replaced')
    group.push(await startNode(role, name))
    await balancer.hasLeft(leaving)
    expect(await leaving.stop()).toBe(0)
  }
  await expect.poll(() => reads.length).toBeGreaterThan(100)
  load.abort()
  await Promise.all(readers)
  expect(reads.filter((status) => status !== 200)).toEqual([])

  for (const person of people) {
    const state = async () => {
      const response = await fetch(
        `${await balancer.url()}/api/generations/${person.generationId}`,
        { headers: { authorization: `Bearer ${person.token}` } },
      )
      return ((await response.json()) as { generation: { state: string } }).generation.state
    }
    await expect.poll(state, { interval: 200 }).toBe('done')
  }
  await balancer.end()
  expect((await auditBooks(db.database)).findings).toEqual([])
})
