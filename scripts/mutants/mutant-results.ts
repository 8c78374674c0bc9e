import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { projectFolder } from '../project-folder.js'
import type { Mutant, MutatedFile } from './make-mutants.ts'

/** What became of a mutant so far; `uncovered`: no test runs its code. */
export type MutantStatus = 'killed' | 'timeout' | 'lived' | 'uncovered'

export interface MutantResult extends Mutant {
  status: MutantStatus
  /** The test that failed. */
  by?: string
  /** Its code is run before the first test of these files, where it can't be switched on later. */
  beforehand?: string[]
}

/** The mutants of one source file, kept between runs for as long as the file doesn't change. */
export interface FileResult {
  readonly file: string
  readonly sha256: string
  readonly mutants: MutantResult[]
  /** Test files that all living mutants were tried on, by their SHA-256 and the longest test. */
  readonly tried: Record<string, { sha256: string; cpuMsMax: number }>
  /** The folder of `mutantsFolder` that keeps it: samples have their own. */
  readonly folder: string
}

/** Where everything about mutants is kept, relative to the project. */
export const mutantsFolder = path.join('.cache', 'mutants')

/** The folder of `mutantsFolder` for runs that are no sample. */
export const wholeResults = 'results'

/** What a test costs without a mutant. */
export interface TestCost {
  /** Its full name. */
  readonly test: string
  /** CPU time of the test's process, in milliseconds. */
  readonly cpuMs: number
}

const pathOf = (file: string, folder: string) =>
  path.join(projectFolder, mutantsFolder, folder, `${file.replaceAll(/[\\/]/gu, '__')}.json`)

async function readKnown({ file, sha256 }: MutatedFile, folder: string) {
  const text = await readFile(pathOf(file, folder), 'utf8').catch(() => undefined)
  const known = text === undefined ? undefined : (JSON.parse(text) as FileResult)
  return known?.sha256 === sha256 ? known : undefined
}

/**
 * What is known of the file's mutants; all `uncovered` where it changed or is new. A sample takes over
 * what a run that was none has killed.
 */
export async function loadResult(mutated: MutatedFile, folder: string): Promise<FileResult> {
  const { file, sha256, mutants } = mutated
  const known = await readKnown(mutated, folder)
  const whole = folder === wholeResults ? undefined : await readKnown(mutated, wholeResults)
  const killed = whole?.mutants.filter((mutant) => !isAlive(mutant)) ?? []
  const byId = new Map([...(known?.mutants ?? []), ...killed].map((mutant) => [mutant.id, mutant]))
  return {
    file,
    sha256,
    mutants: mutants.map((mutant) => {
      const before = byId.get(mutant.id)
      const isKnown =
        before?.original === mutant.original && before.replacement === mutant.replacement
      return { status: 'uncovered', ...(isKnown ? before : {}), ...mutant }
    }),
    tried: known?.tried ?? {},
    folder,
  }
}

/** Keeps it for the next run. */
export async function saveResult(result: FileResult): Promise<void> {
  const target = pathOf(result.file, result.folder)
  await mkdir(path.dirname(target), { recursive: true })
  await writeFile(target, JSON.stringify(result, undefined, 1))
}

/** True while a test could still notice it. */
export function isAlive({ status }: Pick<MutantResult, 'status'>): boolean {
  return status === 'lived' || status === 'uncovered'
}

/** What the tests of a file cost; undefined where that was not measured, or they have changed. */
export async function loadCosts(testFile: string, sha256: string): Promise<TestCost[] | undefined> {
  const text = await readFile(pathOf(testFile, 'costs'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const known = JSON.parse(text) as { sha256: string; tests: TestCost[] }
  return known.sha256 === sha256 ? known.tests : undefined
}

/** Keeps it for the next run. */
export async function saveCosts(
  testFile: string,
  sha256: string,
  tests: readonly TestCost[],
): Promise<void> {
  const target = pathOf(testFile, 'costs')
  await mkdir(path.dirname(target), { recursive: true })
  const costs = tests.map(({ test, cpuMs }) => ({ test, cpuMs }))
  await writeFile(target, JSON.stringify({ sha256, tests: costs }))
}
