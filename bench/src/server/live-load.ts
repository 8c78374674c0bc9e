import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { ApiAnswer, ApiCall, ApiClient, PackedForm } from './api-client.ts'
import { readTree } from './process-tree.ts'
import type { SignedIn } from './bench-environment.ts'

/** What one person's browser does; intervals in milliseconds. */
export interface LoadProfile {
  profileIntervalMs: number
  /** Between two polls of the state of an order that waits to be paid. */
  orderIntervalMs: number
  /** Between the beginnings of two selfies. */
  selfieIntervalMs: number
  /** Between two polls of a selfie that is being made. */
  selfiePollIntervalMs: number
}

export const defaultLoadProfile: LoadProfile = {
  profileIntervalMs: 10_000,
  orderIntervalMs: 5_000,
  selfieIntervalMs: 600_000,
  selfiePollIntervalMs: 1_000,
}

export interface LoadResult {
  /** Milliseconds of each answer by the kind of call. */
  times: Record<CallKind, number[]>
  /** Milliseconds from the form to the end of each selfie. */
  selfiesMs: number[]
  /** Answers that weren't 2xx, calls without an answer, and selfies that failed. */
  errors: string[]
  /** The longest that a selfie had been under way, measured each second. */
  queueAgeMaxSeconds: number
  /** The program's memory, the largest of one reading each second. */
  memoryMaxMb: number
}

type CallKind = 'profile' | 'order' | 'selfie begun' | 'selfie polled'

export interface LoadOptions {
  client: ApiClient
  people: readonly SignedIn[]
  form: PackedForm
  profile: LoadProfile
  seconds: number
  pool: pg.Pool
  programPid: number
}

/** People who look at their profile and an order, and make selfies, all at their own times. */
export async function runLiveLoad(options: LoadOptions): Promise<LoadResult> {
  const { pool, programPid, people } = options
  const result: LoadResult = {
    times: { profile: [], order: [], 'selfie begun': [], 'selfie polled': [] },
    selfiesMs: [],
    errors: [],
    queueAgeMaxSeconds: 0,
    memoryMaxMb: 0,
  }
  const orders = await openOrders(pool, people)
  const end = AbortSignal.timeout(options.seconds * 1_000)
  const watch = watchProgram(pool, programPid, { result, end })
  await Promise.all(
    people.flatMap((person, index) => livePerson(person, orders[index], { options, result, end })),
  )
  await watch
  return result
}

interface Running {
  options: LoadOptions
  result: LoadResult
  end: AbortSignal
}

function livePerson(person: SignedIn, orderId: string | undefined, running: Running) {
  const { profile } = running.options
  const { token } = person
  return [
    repeat(profile.profileIntervalMs, running.end, () =>
      timeCall(running, 'profile', { path: '/api/user?action=profile', token }),
    ),
    repeat(profile.orderIntervalMs, running.end, () =>
      timeCall(running, 'order', { path: `/api/orders/status?order_id=${orderId}`, token }),
    ),
    repeat(profile.selfieIntervalMs, running.end, () => makeSelfie(person, running)),
  ]
}

/** Acts at a random time of each interval's first round, then once each interval. */
async function repeat(intervalMs: number, end: AbortSignal, act: () => Promise<unknown>) {
  let nextAt = performance.now() + Math.random() * intervalMs
  while (await sleepUntil(nextAt, end)) {
    await act()
    nextAt = Math.max(nextAt + intervalMs, performance.now())
  }
}

/** False when the end comes first. */
async function sleepUntil(at: number, end: AbortSignal): Promise<boolean> {
  if (end.aborted) return false
  return delay(Math.max(0, at - performance.now()), true, { signal: end }).catch(() => false)
}

async function makeSelfie({ token }: SignedIn, running: Running): Promise<void> {
  const { form, profile } = running.options
  const startedAt = performance.now()
  const begun = await timeCall(running, 'selfie begun', {
    path: '/api/ai?action=generate',
    method: 'POST',
    token,
    headers: { ...form.headers, prefer: 'respond-async' },
    body: form.body,
  })
  if (begun === undefined) return
  const path = `/api/generations/${readGeneration(begun).generationId}`
  // What was begun is seen to its end, also after the time is up.
  for (;;) {
    await delay(profile.selfiePollIntervalMs)
    const answer = await timeCall(running, 'selfie polled', { path, token })
    if (answer === undefined) return
    const { state } = readGeneration(answer)
    if (state === 'running') continue
    if (state === 'done') running.result.selfiesMs.push(performance.now() - startedAt)
    else running.result.errors.push(`a selfie is ${state}`)
    return
  }
}

function readGeneration({ text }: ApiAnswer): { generationId: string; state: string } {
  const { generation } = JSON.parse(text) as {
    generation: { generationId: string; state: string }
  }
  return generation
}

/** The answer, timed; undefined and an error noted when it wasn't a good one. */
async function timeCall(
  { options, result }: Running,
  kind: CallKind,
  call: ApiCall,
): Promise<ApiAnswer | undefined> {
  try {
    const answer = await options.client.call(call)
    result.times[kind].push(answer.ms)
    if (answer.status < 300) return answer
    result.errors.push(`${kind}: ${answer.status} ${answer.text.slice(0, 200)}`)
  } catch (error) {
    result.errors.push(`${kind}: ${error instanceof Error ? error.message : String(error)}`)
  }
  return undefined
}

async function watchProgram(
  pool: pg.Pool,
  pid: number,
  { result, end }: { result: LoadResult; end: AbortSignal },
) {
  while (!end.aborted) {
    const { rows } = await pool.query<{ age: number }>(
      `select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age
       from generations where state = 'running'`,
    )
    result.queueAgeMaxSeconds = Math.max(result.queueAgeMaxSeconds, rows[0]?.age ?? 0)
    const { memoryMb } = await readTree(pid)
    result.memoryMaxMb = Math.max(result.memoryMaxMb, memoryMb)
    await sleepUntil(performance.now() + 1_000, end)
  }
}

/** An order for everybody that waits to be paid. */
async function openOrders(pool: pg.Pool, people: readonly SignedIn[]): Promise<string[]> {
  const batch = randomBytes(3).toString('hex')
  const ids = people.map((_person, index) => `order_live${index.toString(36)}_${batch}`)
  await pool.query(
    `insert into orders (id, user_id, package_type, price_cents, credits, status, provider,
       created_at, updated_at)
     select id, user_id, 'basic', 1000, 100, 'pending', 'sandbox', now(), now()
     from unnest($1::text[], $2::uuid[]) as open (id, user_id)`,
    [ids, people.map(({ userId }) => userId)],
  )
  return ids
}
