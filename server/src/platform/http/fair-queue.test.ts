import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

const limits = { atOnceMax: 2, atOncePerCallerMax: 1, waitingMax: 100, waitingPerCallerMax: 50 }

/** A task that ends when it is told to, and writes down when it began. */
function createTask(name: string, begun: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    end: resolve,
    async run() {
      begun.push(name)
      await promise
      return name
    },
  }
}

test('a caller with many tasks makes nobody wait for more than one of them', async () => {
  const queue = createFairQueue({ ...limits, atOnceMax: 1 })
  const begun: string[] = []
  const busy = Array.from({ length: 40 }, (_, index) => createTask(`busy ${index}`, begun))
  const single = createTask('single', begun)
  const runs = busy.map((task) => queue.run('busy', task.run))
  const own = queue.run('somebody else', single.run)
  busy[0]?.end()
  single.end()
  expect(await own).toBe('single')
  expect(begun.indexOf('single')).toBeLessThanOrEqual(2)
  for (const task of busy) task.end()
  await Promise.all(runs)
  expect(begun).toHaveLength(41)
})

test('one caller leaves room for the others, and all run in the end', async () => {
  const queue = createFairQueue(limits)
  const begun: string[] = []
  const tasks = ['a1', 'a2', 'b1', 'c1'].map((name) => ({ name, ...createTask(name, begun) }))
  const runs = tasks.map(({ name, run }) => queue.run(name.slice(0, 1), run))
  await expect.poll(() => begun).toEqual(['a1', 'b1'])
  tasks[0]?.end()
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'c1'])
  for (const { end } of tasks) end()
  expect(await Promise.all(runs)).toEqual(['a1', 'a2', 'b1', 'c1'])
})

test('refuses the caller whose line is full with 429, and everybody with 503 when all are, to ask again in seconds', async () => {
  const queue = createFairQueue({ ...limits, atOnceMax: 1, waitingMax: 3, waitingPerCallerMax: 2 })
  const begun: string[] = []
  const task = createTask('task', begun)
  const runs = ['a', 'a', 'a', 'b'].map((caller) => queue.run(caller, task.run))
  const retry = { retryAfterSeconds: 5 }
  const [own, all] = await Promise.allSettled(['a', 'c'].map((each) => queue.run(each, task.run)))
  expect(own).toMatchObject({ reason: { code: 'too_many_requests', ...retry } })
  expect(all).toMatchObject({ reason: { code: 'unavailable', ...retry } })
  task.end()
  await Promise.all(runs)
  expect(await queue.run('c', async () => 'free again')).toBe('free again')
})

test('where nobody may wait, whoever is one too many is refused at once', async () => {
  const none = { waitingMax: 0, waitingPerCallerMax: 0 }
  const queue = createFairQueue({ atOnceMax: 3, atOncePerCallerMax: 2, ...none })
  const task = createTask('task', [])
  const runs = ['a', 'a', 'b'].map((caller) => queue.run(caller, task.run))
  await expect(queue.run('a', task.run)).rejects.toMatchObject({ code: 'too_many_requests' })
  await expect(queue.run('c', task.run)).rejects.toMatchObject({ code: 'unavailable' })
  task.end()
  await Promise.all(runs)
  expect(await queue.run('c', async () => 'free again')).toBe('free again')
})

test('a task whose signal aborts while it waits is never begun and leaves its place', async () => {
  const queue = createFairQueue({ ...limits, atOnceMax: 1, waitingPerCallerMax: 1 })
  const begun: string[] = []
  const first = createTask('first', begun)
  const runs = [queue.run('a', first.run)]
  const abort = new AbortController()
  const waiting = queue.run('b', async () => begun.push('aborted'), abort.signal)
  abort.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  const after = queue.run('b', async () => begun.push('after'))
  first.end()
  await Promise.all([...runs, after])
  expect(begun).toEqual(['first', 'after'])
})

test('a task that throws frees its place', async () => {
  const queue = createFairQueue({ ...limits, atOnceMax: 1 })
  const fail = async () => {
    throw new Error('it failed')
  }
  await expect(queue.run('a', fail)).rejects.toThrow('it failed')
  expect(await queue.run('a', async () => 'next')).toBe('next')
})

/** Acts that begin and end when the test says so. */
function openMutex() {
  const queue = createFairQueue({
    atOnceMax: Infinity,
    atOncePerCallerMax: 1,
    waitingMax: Infinity,
    waitingPerCallerMax: Infinity,
  })
  const begun: string[] = []
  const ends = new Map<string, { resolve(): void; reject(error: Error): void }>()
  const run = (key: string, name: string) =>
    queue.run(key, () => {
      begun.push(name)
      return new Promise<string>((resolve, reject) => {
        ends.set(name, { resolve: () => resolve(name), reject })
      })
    })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { run, begun, ends, settle }
}

test('acts of one key run one after the other, those of another beside them', async () => {
  const { run, begun, ends, settle } = openMutex()
  const acts = [run('a', 'first'), run('a', 'second'), run('b', 'other')]
  await settle()
  expect(begun).toEqual(['first', 'other'])
  ends.get('first')?.resolve()
  await settle()
  expect(begun).toEqual(['first', 'other', 'second'])
  ends.get('second')?.resolve()
  ends.get('other')?.resolve()
  expect(await Promise.all(acts)).toEqual(['first', 'second', 'other'])
})

test('an act that fails keeps nobody waiting', async () => {
  const { run, begun, ends, settle } = openMutex()
  const failing = run('a', 'first')
  const next = run('a', 'second')
  await settle()
  ends.get('first')?.reject(new Error('no'))
  await expect(failing).rejects.toThrow('no')
  await settle()
  ends.get('second')?.resolve()
  expect(await next).toBe('second')
  expect(begun).toEqual(['first', 'second'])
})

test('the third waits for the second, also when the first has just ended', async () => {
  const { run, begun, ends, settle } = openMutex()
  const first = run('a', 'first')
  const second = run('a', 'second')
  await settle()
  ends.get('first')?.resolve()
  await first
  const third = run('a', 'third')
  await settle()
  expect(begun).toEqual(['first', 'second'])
  ends.get('second')?.resolve()
  await second
  await settle()
  ends.get('third')?.resolve()
  expect(await third).toBe('third')
})
