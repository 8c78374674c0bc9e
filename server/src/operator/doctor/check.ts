import type { Config } from '../../config.ts'
import type { OperatorParts } from '../parts.ts'
import type { Finding } from './finding.ts'

/** What is there before the program starts too. */
export interface OutsideParts {
  config: Config
  fetch: typeof fetch
  clock: () => Date
}

/** What is there while the program runs. */
export type RunningParts = OutsideParts &
  Pick<OperatorParts, 'database' | 'site' | 'payments' | 'images' | 'mailer' | 'presets'>

/**
 * Something that an installation needs. The doctor on the command line looks before the program starts,
 * the page of first steps while it runs; a check without one of the two says nothing there.
 */
export interface Check {
  name: string
  beforeStart?(parts: OutsideParts): Promise<Finding[]> | Finding[]
  whileRunning?(parts: RunningParts): Promise<Finding[]> | Finding[]
}
