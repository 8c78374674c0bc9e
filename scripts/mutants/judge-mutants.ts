/**
 * Vitest's runner while mutants are tried. Starting a test file costs seconds (modules, a database,
 * the program), a test some milliseconds: so a file is started once, and each of its tests is run
 * again and again there, with other mutants switched on each time (mutant-queue.ts).
 *
 * A test that a mutant fails is run once more without it: if it then fails too, something was left
 * behind, and the file is given up; the command starts it anew and tries that mutant first. So it does
 * when a test fails the first time, after mutants were tried on others, and when one that ran out of time
 * doesn't end without its mutant either.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { TestRunner } from 'vitest'
import type { RunnerTestCase } from 'vitest'
import type { JudgeTask, Judgement, Try } from './judge-task.ts'
import { MutantQueue } from './mutant-queue.ts'
import { coverage, none, switches } from './mutant-switches.ts'

const triesMax = 1_000_000
/** So many mutants that failed a test are believed by one run without any, or by one that passes. */
const unprovenMax = 6
const tryTimeMinMs = 2_000
const tryTimeFactor = 10
const tickMs = 50

/** Runs every test of a file with every mutant of the task that it covers. */
export default class MutantJudge extends TestRunner {
  readonly #task: JudgeTask
  readonly #open: Set<string>
  #pending: Try[] = []
  #queue = new MutantQueue([])
  #current: Try | undefined
  #failure: string | undefined
  /** What ran out of time is still at work, and would take what is meant for the next try. */
  #isStillRunning = false
  #plainMs = 0
  #startedAt = 0
  #cpuBefore = process.cpuUsage()
  #isOver = false
  #hasTests = false
  #hasTriedMutants = false
  /** Mutants that failed the test since it last passed. */
  #unproven: string[] = []

  constructor(config: ConstructorParameters<typeof TestRunner>[0]) {
    super(config)
    const file = this.injectValue('mutantTaskFile') as string
    this.#task = JSON.parse(readFileSync(file, 'utf8')) as JudgeTask
    this.#open = new Set(this.#task.mutants)
    if (this.#task.whole !== undefined) switches.activeMutants = new Set([this.#task.whole])
    this.#tell({ kind: 'started', pid: process.pid })
    for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
      process.on(event, (error) => (this.#failure ??= `unhandled: ${String(error)}`))
    }
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    if (!this.#hasTests) {
      this.#hasTests = true
      this.#tell({
        kind: 'beforehand',
        covered: Object.keys(coverage.static).filter((id) => this.#open.has(id)),
      })
    }
    if (this.#isOver || this.#task.done.includes(test.fullTestName)) test.mode = 'skip'
    else if (this.#task.whole === undefined) {
      test.repeats = triesMax
      this.#pending = [{ kind: 'plain' }]
      this.#queue = new MutantQueue([])
      this.#unproven = []
    }
    await super.onBeforeRunTask(test)
  }

  override onBeforeTryTask(
    test: RunnerTestCase,
    options: { retry: number; repeats: number },
  ): void {
    super.onBeforeTryTask(test, options)
    if (this.#task.whole !== undefined) return
    this.#current = this.#pending.shift() ?? this.#takeGroup()
    this.#failure = undefined
    this.#isStillRunning = false
    this.#startedAt = performance.now()
    this.#cpuBefore = process.cpuUsage()
    const { kind } = this.#current ?? {}
    switches.currentTestId = kind === 'plain' ? test.id : undefined
    switches.activeMutants = none
    if (this.#current?.kind !== 'mutants') return
    this.#hasTriedMutants = true
    const timeMaxMs = this.#timeMaxMs()
    const { ids } = this.#current
    this.#tell({ kind: 'trying', ids, test: test.fullTestName, timeMaxMs })
    switches.activeMutants = new Set(ids)
    switches.hitCount = 0
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const act = TestRunner.getTestFn(test)
    if (this.#task.whole !== undefined) return act()
    if (this.#current === undefined) test.context.skip('all its mutants are judged')
    const isPlain = this.#current?.kind === 'plain'
    const timeMaxMs = isPlain ? triesMax : this.#timeMaxMs()
    const work = Promise.resolve(act())
    if (await isOverWithin(timeMaxMs, work)) return work
    this.#failure = 'timeout'
    switches.activeMutants = none
    this.#isStillRunning = !(await isOverWithin(timeMaxMs, work))
    throw new Error('out of time')
  }

  override async onAfterRetryTask(
    test: RunnerTestCase,
    options: { retry: number; repeats: number },
  ): Promise<void> {
    await super.onAfterRetryTask(test, options)
    const { result } = test
    if (result === undefined || test.mode === 'skip' || 'pending' in result) return
    if (this.#task.whole !== undefined) {
      if (result.state !== 'fail') return
      this.#tell({
        kind: 'killed',
        id: this.#task.whole,
        test: test.fullTestName,
        isTimeout: false,
      })
      this.#isOver = true
      return
    }
    switches.activeMutants = none
    switches.currentTestId = undefined
    const failure = result.errors?.[0]?.message ?? this.#failure
    const hasFailed = result.state === 'fail' || this.#failure !== undefined
    result.state = 'pass'
    result.errors = []
    if (result.attempts !== undefined) result.attempts.length = 0
    this.#decide(test, { hasFailed, failure, tookMs: performance.now() - this.#startedAt })
  }

  /** What is tried next, after a try that ended so. */
  #decide(
    test: RunnerTestCase,
    end: { hasFailed: boolean; failure: string | undefined; tookMs: number },
  ): void {
    const { hasFailed, failure, tookMs } = end
    const tried = this.#current
    const name = test.fullTestName
    if (tried?.kind === 'plain' && hasFailed && this.#hasTriedMutants) {
      // Perhaps a mutant that another test didn't notice left something behind.
      this.#tell({ kind: 'spoiled', ids: [] })
      this.#isOver = true
    } else if (tried?.kind === 'plain') {
      this.#plainMs = tookMs
      const covered = Object.keys(coverage.perTest[test.id] ?? {}).filter((id) =>
        this.#open.has(id),
      )
      const { user, system } = process.cpuUsage(this.#cpuBefore)
      const cpuMs = Math.round((user + system) / 1000)
      this.#tell({ kind: 'plain', test: name, cpuMs, covered, hasFailed, failure })
      const { only, cpuMsMax, left } = this.#task
      const isOfBand = only === undefined ? cpuMs <= cpuMsMax : only.includes(name)
      if (!isOfBand || hasFailed || covered.length === 0 || left.includes(name)) return
      const suspect = this.#task.suspect
      const isSuspected = suspect?.test === name && covered.includes(suspect.id)
      this.#pending = [
        ...(isSuspected ? [{ kind: 'mutants', ids: [suspect.id] } as const] : []),
        { kind: 'again' },
      ]
      const open = covered.filter(
        (id) => !this.#task.tried[name]?.includes(id) && !(isSuspected && id === suspect.id),
      )
      this.#queue = new MutantQueue(open, this.#task.alone)
    } else if (tried?.kind === 'again') {
      // The first run loads and connects what all others find ready.
      this.#plainMs = Math.min(this.#plainMs, tookMs)
      if (!hasFailed) return
      this.#tell({ kind: 'once', test: name })
      this.#pending = []
      this.#queue = new MutantQueue([])
    } else if (tried?.kind === 'mutants') {
      this.#decideGroup(name, tried.ids, hasFailed)
    } else if (tried?.kind === 'control') {
      this.#decideControl(name, tried.ids, hasFailed)
    }
  }

  /** The test ran without the mutants that it failed with. */
  #decideControl(test: string, ids: readonly string[], hasFailed: boolean): void {
    if (!hasFailed) {
      this.#believe(test)
      return
    }
    const [id] = ids
    const isOne = id !== undefined && ids.length === 1
    if (!isOne || !this.#open.has(id)) {
      this.#giveUp(isOne ? [] : ids)
      return
    }
    this.#tell({ kind: 'suspect', id, test })
    this.#end()
  }

  /** Has the file started anew, because of one of these mutants, where there are any. */
  #giveUp(ids: readonly string[]): void {
    this.#tell({ kind: 'spoiled', ids })
    this.#end()
  }

  #end(): void {
    this.#isOver = true
    this.#pending = []
    this.#queue = new MutantQueue([])
  }

  /** The test passes: what failed it before were the mutants, and nothing that they left behind. */
  #believe(test: string): void {
    for (const id of this.#unproven.splice(0)) {
      this.#open.delete(id)
      this.#tell({ kind: 'killed', id, test, isTimeout: false })
    }
  }

  /** What is known of mutants that were switched on together. */
  #decideGroup(test: string, ids: readonly string[], hasFailed: boolean): void {
    if (!hasFailed) {
      this.#believe(test)
      this.#queue.passed(ids)
      for (const id of ids) this.#tell({ kind: 'lived', id, test })
      return
    }
    this.#queue.failed(ids)
    const [id] = ids
    if (this.#isStillRunning) {
      const isOne = id !== undefined && ids.length === 1
      if (isOne) this.#tell({ kind: 'killed', id, test, isTimeout: true })
      this.#giveUp([...this.#unproven, ...(isOne ? [] : ids)])
      return
    }
    if (id === undefined || ids.length > 1) {
      this.#pending.unshift({ kind: 'control', ids: [...this.#unproven, ...ids] })
      return
    }
    const { suspect, alone } = this.#task
    const isTimeout = this.#failure === 'timeout'
    if (isTimeout || (suspect?.id === id && suspect.test === test)) {
      this.#open.delete(id)
      this.#tell({ kind: 'killed', id, test, isTimeout })
      this.#pending.unshift({ kind: 'control', ids: [...this.#unproven, id] })
      return
    }
    this.#unproven.push(id)
    if (alone.includes(id) || this.#unproven.length >= unprovenMax || !this.#queue.hasMore) {
      this.#pending.unshift({ kind: 'control', ids: [...this.#unproven] })
    }
  }

  #takeGroup(): Try | undefined {
    const ids = this.#queue.take()
    return ids === undefined ? undefined : { kind: 'mutants', ids }
  }

  #timeMaxMs(): number {
    return Math.max(tryTimeMinMs, tryTimeFactor * this.#plainMs)
  }

  #tell(judgement: Judgement): void {
    appendFileSync(this.#task.judgementsFile, `${JSON.stringify(judgement)}\n`)
  }
}

/**
 * Whether the work ends, by success or failure, within so many milliseconds. They are counted in ticks, so
 * that waiting for the machine counts for little: each is late by as much as that takes.
 */
async function isOverWithin(maxMs: number, work: Promise<unknown>): Promise<boolean> {
  let ticker: NodeJS.Timeout | undefined
  const outOfTime = new Promise<boolean>((resolve) => {
    let ticksLeft = maxMs / tickMs
    ticker = setInterval(() => {
      ticksLeft -= 1
      if (ticksLeft <= 0) resolve(false)
    }, tickMs)
  })
  const over = () => true
  try {
    return await Promise.race([work.then(over, over), outOfTime])
  } finally {
    clearInterval(ticker)
  }
}
