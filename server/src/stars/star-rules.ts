import { keysOf } from '@starside/contract/keys-of.ts'
import { defaultLanguage, languages } from '@starside/contract/languages.ts'
import { presetCategories } from '@starside/contract/preset-categories.ts'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import { plainLine } from '../platform/site/brand-settings.ts'
import { readTranslated, translatedFields } from '../platform/site/translated-fields.ts'
import type { StarsTable } from '../platform/db/tables.d.ts'

/** Smaller positions stand in front. */
export const starPositionMax = 100_000

const needed = (lengthMax: number) => plainLine(lengthMax).min(1, 'This is needed.')

const day = z
  .union([z.literal(''), z.iso.date('A day, such as 2027-01-31.')])
  .default('')
  .transform((text) => (text === '' ? null : text))

/** What is told of a star by columns of the same names; whose picture it is and why it may be used is demanded. */
const about = z.object({
  name: needed(60),
  category: z.enum(presetCategories),
  licence: needed(100),
  licence_from: day,
  licence_until: day,
  licence_uses: plainLine(300).default(''),
  attribution: plainLine(300).default(''),
  source: plainLine(500).default(''),
  consent_note: z.string().trim().min(1, 'Please say why it may be used.').max(2_000),
  ai_generated: z
    .literal('on')
    .optional()
    .transform((value) => value === 'on'),
})

/** Its line in every language; one without a translation is shown in the default language. */
const lines = z
  .object(translatedFields('line', () => plainLine(120).default('')))
  .transform((fields) => readTranslated('line', fields))
  .transform((texts) => ({
    line:
      texts[defaultLanguage] === ''
        ? null
        : Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
  }))

/** What is shown about a star. */
export const starRules = z.intersection(
  about
    .refine(({ licence_from: from, licence_until: until }) => !from || !until || from <= until, {
      path: ['licence_until'],
      message: 'Not before the first day.',
    })
    .refine(({ licence, attribution }) => attribution !== '' || !/\bBY\b/.test(licence), {
      path: ['attribution'],
      message: 'This licence asks for a name.',
    }),
  lines,
)
export type StarRules = z.output<typeof starRules>

/** What is told of a star, as its row holds it. */
export function columnsOf({ line: texts, ...columns }: StarRules) {
  return { ...columns, line: texts === null ? null : JSON.stringify(texts) }
}

/** What is told of a star, in the fields that the rules read, but by whom it was made. */
export function aboutStar(star: Selectable<StarsTable>): Record<string, string> {
  const { ai_generated: _isMade, ...columns } = about.shape
  return Object.fromEntries([
    ...keysOf(columns).map((name) => [name, star[name] ?? '']),
    ...languages.map((language) => [`line_${language}`, star.line?.[language] ?? '']),
  ])
}

/** Whether a star's licence holds at a time. */
export function isLicensed(
  star: Pick<Selectable<StarsTable>, 'licence_from' | 'licence_until'>,
  now: Date,
): boolean {
  const today = now.toISOString().slice(0, 10)
  return (star.licence_from ?? today) <= today && today <= (star.licence_until ?? today)
}
