import type { Finding } from '../doctor/finding.ts'

/** How far a step is: done, to be looked at, or in the way of business. */
export type StepState = 'green' | 'amber' | 'red'

/** Something that an installation needs before people come. */
export interface Step {
  name: string
  state: StepState
  /** What was found, and what to do about it. */
  finding: string
  /** Where that is done. */
  href?: string
}

/** A step by what a check found: as bad as the worst of it. */
export function stepOf(name: string, findings: readonly Finding[]): Step {
  const levels = findings.map(({ level }) => level)
  const state = levels.includes('problem') ? 'red' : levels.includes('warning') ? 'amber' : 'green'
  const texts = findings.map(({ text, mend }) => (mend === undefined ? text : `${text} ${mend}`))
  return { name, state, finding: texts.join(' ') }
}
