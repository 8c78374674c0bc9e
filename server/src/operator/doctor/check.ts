import { formatMessage } from '@starside/contract/fill.ts'
import type { TextValues } from '@starside/contract/fill.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import type { Insertable } from 'kysely'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { OperatorParts } from '../parts.ts'
import type { Database } from '../../platform/db/database.ts'
import { findRow } from '../../platform/db/rows.ts'
import type { OperatorChecksTable } from '../../platform/db/tables.d.ts'
import findings from './findings.json' with { type: 'json' }

/** What is there before the program starts too. */
export type OutsideParts = { config: Config; fetch: typeof fetch; clock: () => Date }

/** What is there while the program runs. */
export type RunningParts = OutsideParts &
  Pick<OperatorParts, 'database' | 'site' | 'payments' | 'images' | 'mailer' | 'presets'>

/** What an installation needs: the doctor checks before the start, first steps while it runs. */
export interface Check {
  name: string
  beforeStart?(parts: OutsideParts): Promise<Finding[]> | Finding[]
  whileRunning?(parts: RunningParts): Promise<Finding[]> | Finding[]
}

const findingSchema = z.object({
  /** `ok` needs nothing, `warning` works but not well, `problem` doesn't work. */
  level: z.enum(['ok', 'warning', 'problem']),
  /** One sentence. */
  text: z.string(),
  /** What to do; only beside a warning or a problem. Variables of the environment stand in it by name. */
  mend: z.string().exactOptional(),
  /** Where that is done under `/admin`. */
  href: z.string().exactOptional(),
  /** The command or the lines of settings that do it, to be copied. */
  copy: z.string().exactOptional(),
})
export type Finding = z.output<typeof findingSchema>

const declaredFindings = z.record(z.enum(keysOf(findings)), findingSchema).parse(findings)

/** One of the findings of `findings.json`, filled in. */
export function finding(name: keyof typeof findings, values: TextValues = {}): Finding {
  const filled = Object.entries(declaredFindings[name]).map(
    ([field, text]) => [field, formatMessage(text, values, 'en')] as const,
  )
  return findingSchema.parse(Object.fromEntries(filled))
}

const findingLengthMax = 2_000

/** Whether hosted pictures are compared with the photos. */
export const likenessCheck = 'likeness'

/** What was last found of something that isn't looked at whenever a page is opened. */
export function findCheck(database: Database, name: string) {
  return findRow(database, 'operator_checks', { name })
}

/** Keeps what was found, in the place of what was found before. */
export async function saveCheck(
  database: Database,
  { name, finding: whole, ...check }: Insertable<OperatorChecksTable>,
): Promise<void> {
  const found = { ...check, finding: whole.slice(0, findingLengthMax) }
  await database
    .insertInto('operator_checks')
    .values({ name, ...found })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(found))
    .execute()
}
