/** What Vitest's runner is to do with one test file. */
export interface JudgeTask {
  /** Ids of the mutants that still live. */
  readonly mutants: readonly string[]
  /** Which of them each test, by its full name, was tried on already. */
  readonly tried: Readonly<Record<string, readonly string[]>>
  /** Tests that take more of this process's CPU time are only run once, without mutants. */
  readonly cpuMsMax: number
  /** The full names of those to try mutants on, instead of going by their CPU time. */
  readonly only?: readonly string[] | undefined
  /** Mutants that are tried one by one, as the process ended while several were switched on. */
  readonly alone: readonly string[]
  /** Tests, by their full names, that an earlier start has tried all on: they aren't run again. */
  readonly done: readonly string[]
  /** Tests, by their full names, that can't be repeated. */
  readonly left: readonly string[]
  /** Failed a test in a program that was perhaps damaged before: tried first, and then believed. */
  readonly suspect?: { readonly id: string; readonly test: string } | undefined
  /** A mutant that is switched on before anything is imported, for all tests. */
  readonly whole?: string | undefined
  /** Where each Judgement is appended as a line of JSON. */
  readonly judgementsFile: string
}

/** What the runner found, in the order of events. */
export type Judgement =
  | { readonly kind: 'started'; readonly pid: number }
  /** Run before the first test: by imports and hooks. */
  | { readonly kind: 'beforehand'; readonly covered: readonly string[] }
  | {
      readonly kind: 'plain'
      readonly test: string
      readonly cpuMs: number
      readonly covered: readonly string[]
      readonly hasFailed: boolean
      /** What it failed by. */
      readonly failure?: string | undefined
    }
  /** The test can't be run twice in the same program. */
  | { readonly kind: 'once'; readonly test: string }
  | {
      readonly kind: 'trying'
      /** All that are switched on at once. */
      readonly ids: readonly string[]
      readonly test: string
      /** How long it is given, in milliseconds. */
      readonly timeMaxMs: number
    }
  | { readonly kind: 'lived' | 'suspect'; readonly id: string; readonly test: string }
  | {
      readonly kind: 'killed'
      readonly id: string
      readonly test: string
      readonly isTimeout: boolean
    }
  /** The file has to be started anew; one of these did it, where there are any. */
  | { readonly kind: 'spoiled'; readonly ids: readonly string[] }

/** One run of a test: as it is, or with mutants on. */
export type Try =
  | { readonly kind: 'plain' | 'again' }
  | { readonly kind: 'mutants' | 'control'; readonly ids: readonly string[] }

declare module 'vitest' {
  interface ProvidedContext {
    /** File of the JudgeTask. */
    mutantTaskFile: string
  }
}
