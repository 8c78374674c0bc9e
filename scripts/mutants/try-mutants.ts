import { readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { projectFolder } from '../project-folder.js'
import type { Judgement, JudgeTask } from './judge-task.ts'
import { isAlive, mutantsFolder, saveResult } from './mutant-results.ts'
import type { FileResult, MutantResult } from './mutant-results.ts'
import type { MutantTests } from './open-mutant-tests.ts'

/** A test process that says nothing for so long is in a loop that nothing ends. */
const silenceMaxMs = 240_000
const watchIntervalMs = 5_000
const startsMax = 40
/** A test that fails without a mutant, so often, after one that failed it, can't be repeated. */
const suspectsMax = 3

const judgementsFile = path.join(projectFolder, mutantsFolder, 'judgements.jsonl')

/** A test as it ran without a mutant. */
export interface PlainTest {
  readonly cpuMs: number
  readonly covered: readonly string[]
}

/** Tries the living mutants on the tests of one file; keeps what was found. */
export async function tryOnFile(
  tests: MutantTests,
  options: {
    testFile: string
    sha256: string
    cpuMsMin: number
    cpuMsMax: number
    results: readonly FileResult[]
  },
): Promise<PlainTest[]> {
  const { testFile, sha256, cpuMsMin, cpuMsMax, results } = options
  const plain = new Map<string, PlainTest>()
  const byId = new Map(results.flatMap(({ mutants }) => mutants).map((one) => [one.id, one]))
  const tried: Record<string, string[]> = {}
  const suspects: string[] = []
  let suspect: JudgeTask['suspect']
  for (let start = 1; start <= startsMax; start += 1) {
    const task = {
      mutants: [...byId.values()].filter(isAlive).map(({ id }) => id),
      tried,
      cpuMsMin,
      cpuMsMax,
      suspect,
      left: [...new Set(suspects)].filter((name) => countOf(suspects, name) > suspectsMax),
      judgementsFile,
    }
    const judgements = await runWatched(tests, testFile, task)
    if (start > 1)
      console.log(
        '   T',
        new Date().toISOString().slice(11, 19),
        testFile,
        'start',
        start,
        JSON.stringify(judgements.at(-1)).slice(0, 150),
      )
    suspect = undefined
    for (const judgement of judgements) {
      note(judgement, { byId, tried, testFile })
      if (judgement.kind === 'plain') plain.set(judgement.test, judgement)
    }
    await Promise.all(results.map(saveResult))
    const last = judgements.at(-1)
    if (last?.kind === 'suspect') {
      suspect = { id: last.id, test: last.test }
      suspects.push(last.test)
    }
    if (last?.kind === 'trying') {
      // The process ended in the middle: so it would in the tests.
      Object.assign(byId.get(last.id) ?? {}, { status: 'killed', by: `${testFile}: ended` })
    } else if (last?.kind !== 'spoiled' && last?.kind !== 'suspect') break
  }
  for (const result of results) result.tried[testFile] = { sha256, cpuMsMax }
  await Promise.all(results.map(saveResult))
  return [...plain.values()]
}

function countOf(names: readonly string[], wanted: string): number {
  return names.filter((name) => name === wanted).length
}

/** Tries what is run only before the first test: a start of a test file for each mutant. */
export async function tryWhole(tests: MutantTests, results: readonly FileResult[]): Promise<void> {
  for (const result of results) {
    for (const mutant of result.mutants.filter(isAlive)) {
      for (const testFile of (mutant.beforehand ?? []).slice(0, 3)) {
        const task = {
          mutants: [],
          tried: {},
          cpuMsMin: 0,
          cpuMsMax: 0,
          left: [],
          whole: mutant.id,
          judgementsFile,
        }
        const judgements = await runWatched(tests, testFile, task)
        mutant.status = 'lived'
        for (const judgement of judgements) {
          note(judgement, { byId: new Map([[mutant.id, mutant]]), tried: {}, testFile })
        }
        if (!isAlive(mutant)) break
      }
      await saveResult(result)
    }
  }
}

function note(
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
    console.log(`  ${judgement.kind === 'once' ? 'not repeatable' : 'fails'}: ${judgement.test}`)
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
      if (age < silenceMaxMs) return
      const started = (await readJudgements()).findLast(({ kind }) => kind === 'started')
      if (started?.kind === 'started') process.kill(started.pid, 'SIGKILL')
    })().catch(() => {})
  }, watchIntervalMs)
  try {
    await tests.run(testFile, task)
  } finally {
    clearInterval(watch)
  }
  return readJudgements()
}

async function readJudgements(): Promise<Judgement[]> {
  const text = await readFile(judgementsFile, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Judgement)
}
