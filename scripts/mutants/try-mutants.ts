import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { projectFolder } from '../project-folder.js'
import type { Judgement, JudgeTask } from './judge-task.ts'
import { isAlive, mutantsFolder, saveResult } from './mutant-results.ts'
import type { FileResult, MutantResult, TestCost } from './mutant-results.ts'
import type { MutantTests } from './open-mutant-tests.ts'

/** A test process that says nothing for so long is in a loop that nothing ends. */
const silenceMaxMs = 240_000
/** A loop that keeps timers from running, too, is ended from outside so much after a try's time. */
const graceMs = 20_000
/** A file that is given up may wait for ever for what its last try has left at work. */
const endMaxMs = 5_000
const watchIntervalMs = 2_500
const startsMax = 120
/** A test that failed so often without a mutant, and not by the one before it, can't be repeated. */
const cleanFailuresMax = 3

const judgementsFile = path.join(projectFolder, mutantsFolder, 'judgements.jsonl')
const partlyFile = path.join(projectFolder, mutantsFolder, 'partly.json')

/** Each start takes seconds. */
const startsOfMutantMax = 3

/** A test as it ran without a mutant. */
export interface PlainTest extends TestCost {
  readonly covered: readonly string[]
}

/** Tries the living mutants on the tests of one file; keeps what was found. */
export async function tryOnFile(
  tests: MutantTests,
  options: {
    testFile: string
    sha256: string
    cpuMsMax: number
    only: readonly string[] | undefined
    results: readonly FileResult[]
  },
): Promise<PlainTest[]> {
  const { testFile, sha256, cpuMsMax, only, results } = options
  const plain = new Map<string, PlainTest>()
  const byId = new Map(results.flatMap(({ mutants }) => mutants).map((one) => [one.id, one]))
  const tried = await loadPartly(testFile, sha256)
  const note = (judgement: Judgement) => {
    take(judgement, { byId, tried, testFile })
    if (judgement.kind === 'plain') plain.set(judgement.test, judgement)
  }
  const keep = async () => {
    await Promise.all(results.map(saveResult))
    await writeFile(partlyFile, JSON.stringify({ testFile, sha256, tried }))
  }
  const keepAndEnd = () => {
    void (async () => {
      for (const judgement of await readJudgements()) note(judgement)
      await keep()
      process.exit(143)
    })()
  }
  process.once('SIGTERM', keepAndEnd)
  const cleanFailures: string[] = []
  const alone: string[] = []
  let suspect: JudgeTask['suspect']
  for (let start = 1; start <= startsMax; start += 1) {
    const task = {
      mutants: [...byId.values()].filter(isAlive).map(({ id }) => id),
      tried,
      cpuMsMax,
      only,
      suspect,
      alone,
      done: listDone(plain, {
        alive: (id) => isAlive(byId.get(id) ?? { status: 'killed' }),
        tried,
        cpuMsMax,
        only,
      }),
      left: [...new Set(cleanFailures)].filter(
        (name) => countOf(cleanFailures, name) >= cleanFailuresMax,
      ),
      judgementsFile,
    }
    const judgements = await runWatched(tests, testFile, task)
    for (const judgement of judgements) note(judgement)
    if (suspect !== undefined && isAlive(byId.get(suspect.id) ?? { status: 'killed' })) {
      cleanFailures.push(suspect.test)
    }
    suspect = undefined
    await keep()
    const last = judgements.at(-1)
    if (last?.kind === 'suspect') {
      suspect = { id: last.id, test: last.test }
    }
    if (last?.kind === 'spoiled') alone.push(...last.ids)
    if (last?.kind === 'trying') {
      // The process ended in the middle: so it would in the tests.
      const [id = '', ...others] = last.ids
      if (others.length > 0) alone.push(...last.ids)
      else Object.assign(byId.get(id) ?? {}, { status: 'timeout', by: `${testFile}: ended` })
    } else if (last?.kind !== 'spoiled' && last?.kind !== 'suspect') break
  }
  process.off('SIGTERM', keepAndEnd)
  if (plain.size === 0) {
    console.log(`  ran no test: ${testFile}`)
    return []
  }
  for (const result of results) result.tried[testFile] = { sha256, cpuMsMax }
  await Promise.all(results.map(saveResult))
  return [...plain.values()]
}

/** Which mutants each test of the file was tried on before the run was stopped in the middle of it. */
async function loadPartly(testFile: string, sha256: string): Promise<Record<string, string[]>> {
  const text = await readFile(partlyFile, 'utf8').catch(() => '{}')
  const partly = JSON.parse(text) as {
    testFile?: string
    sha256?: string
    tried?: Record<string, string[]>
  }
  const isSame = partly.testFile === testFile && partly.sha256 === sha256
  return (isSame ? partly.tried : undefined) ?? {}
}

/** The tests that a start before has run, with nothing left to be tried on them. */
function listDone(
  plain: ReadonlyMap<string, PlainTest>,
  options: {
    alive: (id: string) => boolean
    tried: Readonly<Record<string, readonly string[]>>
    cpuMsMax: number
    only: readonly string[] | undefined
  },
): string[] {
  const { alive, tried, cpuMsMax, only } = options
  return [...plain.values()]
    .filter(({ test, cpuMs, covered }) => {
      const isOfBand = only === undefined ? cpuMs <= cpuMsMax : only.includes(test)
      return !isOfBand || !covered.some((id) => alive(id) && tried[test]?.includes(id) !== true)
    })
    .map(({ test }) => test)
}

function countOf(names: readonly string[], wanted: string): number {
  return names.filter((name) => name === wanted).length
}

/** Tries what is run only before the first test: a start of a test file for each mutant. */
export async function tryWhole(tests: MutantTests, results: readonly FileResult[]): Promise<void> {
  for (const result of results) {
    for (const mutant of result.mutants.filter(isAlive)) {
      for (const testFile of nearest(mutant).slice(0, startsOfMutantMax)) {
        const task = {
          mutants: [],
          tried: {},
          cpuMsMax: 0,
          alone: [],
          done: [],
          left: [],
          whole: mutant.id,
          judgementsFile,
        }
        const judgements = await runWatched(tests, testFile, task)
        mutant.status = 'lived'
        for (const judgement of judgements) {
          take(judgement, { byId: new Map([[mutant.id, mutant]]), tried: {}, testFile })
        }
        if (!isAlive(mutant)) break
      }
      await saveResult(result)
    }
  }
}

/** The test files that run a mutant's code when they begin, the one of its own name first. */
function nearest({ file, beforehand = [] }: MutantResult): string[] {
  const name = file.replace(/\.ts$/u, '.test.ts')
  const rank = (testFile: string) => {
    if (testFile === name) return 0
    return path.dirname(testFile) === path.dirname(file) ? 1 : 2
  }
  return beforehand.toSorted((one, other) => rank(one) - rank(other))
}

function take(
  judgement: Judgement,
  into: { byId: Map<string, MutantResult>; tried: Record<string, string[]>; testFile: string },
): void {
  const { byId, tried, testFile } = into
  if (judgement.kind === 'beforehand') {
    for (const id of judgement.covered) {
      const mutant = byId.get(id)
      if (mutant !== undefined)
        mutant.beforehand = [...new Set([...(mutant.beforehand ?? []), testFile])]
    }
  } else if (judgement.kind === 'lived') {
    ;(tried[judgement.test] ??= []).push(judgement.id)
    Object.assign(byId.get(judgement.id) ?? {}, { status: 'lived' })
  } else if (judgement.kind === 'killed') {
    const status = judgement.isTimeout ? 'timeout' : 'killed'
    Object.assign(byId.get(judgement.id) ?? {}, { status, by: `${testFile}: ${judgement.test}` })
  } else if (judgement.kind === 'once' || (judgement.kind === 'plain' && judgement.hasFailed)) {
    const how = judgement.kind === 'once' ? 'not repeatable' : `fails (${judgement.failure ?? ''})`
    console.log(`  ${how}: ${judgement.test}`)
  }
}

async function runWatched(
  tests: MutantTests,
  testFile: string,
  task: JudgeTask,
): Promise<Judgement[]> {
  await rm(judgementsFile, { force: true })
  const watch = setInterval(() => {
    void (async () => {
      const age = Date.now() - (await stat(judgementsFile)).mtimeMs
      if (age < endMaxMs) return
      const judgements = await readJudgements()
      if (age < ageMaxMs(judgements.at(-1))) return
      const started = judgements.findLast(({ kind }) => kind === 'started')
      if (started?.kind === 'started') process.kill(started.pid, 'SIGKILL')
    })().catch(() => {})
  }, watchIntervalMs)
  try {
    const errors = await tests.run(testFile, task)
    for (const message of errors) console.log(`  ${testFile}: ${message}`)
  } finally {
    clearInterval(watch)
  }
  return readJudgements()
}

/** How long a test process may say nothing after what it said last. */
function ageMaxMs(last: Judgement | undefined): number {
  if (last?.kind === 'trying') return last.timeMaxMs + graceMs
  return last?.kind === 'spoiled' || last?.kind === 'suspect' ? endMaxMs : silenceMaxMs
}

async function readJudgements(): Promise<Judgement[]> {
  const text = await readFile(judgementsFile, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Judgement)
}
