import { defaultLanguage, languages } from '@starside/contract/languages.ts'
import { presetCategories } from '@starside/contract/preset-categories.ts'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import { readTranslated, translatedFields } from '../platform/site/translated-fields.ts'
import type { StarsTable } from '../platform/db/tables.d.ts'

/** Smaller positions stand in front. */
export const starPositionMax = 100_000

const line = (lengthMax: number) =>
  z
    .string()
    .trim()
    .max(lengthMax, `At most ${lengthMax} characters.`)
    .regex(/^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u, 'One line of plain text.')
const needed = (lengthMax: number) => line(lengthMax).min(1, 'This is needed.')

const day = z
  .union([z.literal(''), z.iso.date('A day, such as 2027-01-31.')])
  .default('')
  .transform((text) => (text === '' ? null : text))

/** What is shown about a star; whose picture it is and why it may be used is demanded. */
export const starRules = z
  .object({
    name: needed(60),
    category: z.enum(presetCategories),
    licence: needed(100),
    attribution: needed(300),
    source: needed(500),
    consentNote: z.string().trim().min(1, 'Please say why it may be used.').max(2_000),
    licenceFrom: day,
    licenceUntil: day,
    licenceUses: line(300).default(''),
    aiGenerated: z.literal('on').optional(),
    ...translatedFields('line', () => line(120).default('')),
  })
  .refine(({ licenceFrom: from, licenceUntil: until }) => !from || !until || from <= until, {
    path: ['licenceUntil'],
    message: 'Not before the first day.',
  })
  .transform((fields) => {
    const { name, category, licence, attribution, source, consentNote, aiGenerated } = fields
    const { licenceFrom, licenceUntil, licenceUses } = fields
    const lines = readTranslated('line', fields)
    const translated = languages.filter((language) => lines[language] !== '')
    const about = { name, category, licence, attribution, source, consentNote }
    const terms = { licenceFrom, licenceUntil, licenceUses }
    return {
      ...about,
      ...terms,
      aiGenerated: aiGenerated === 'on',
      // A line without a translation is shown in the default language.
      line: translated.includes(defaultLanguage)
        ? Object.fromEntries(translated.map((language) => [language, lines[language]]))
        : null,
    }
  })
export type StarRules = z.output<typeof starRules>

/** What is told of a star, as its row holds it. */
export function columnsOf(rules: StarRules) {
  const { consentNote, aiGenerated, line: lines, ...rest } = rules
  const { licenceFrom, licenceUntil, licenceUses, ...same } = rest
  return {
    ...same,
    consent_note: consentNote,
    ai_generated: aiGenerated,
    licence_from: licenceFrom,
    licence_until: licenceUntil,
    licence_uses: licenceUses,
    line: lines === null ? null : JSON.stringify(lines),
  }
}

/** What is told of a star, in the fields that the rules read. */
export function aboutStar(star: Selectable<StarsTable>): Record<string, string> {
  const { name, category, licence, attribution, source, consent_note: consentNote } = star
  const lines = languages.map((language) => [`line_${language}`, star.line?.[language] ?? ''])
  return {
    name,
    category,
    ...Object.fromEntries(lines),
    licence,
    licenceFrom: star.licence_from ?? '',
    licenceUntil: star.licence_until ?? '',
    licenceUses: star.licence_uses,
    attribution,
    source,
    consentNote,
  }
}

/** Whether a star's licence holds at a time. */
export function isLicensed(
  star: Pick<Selectable<StarsTable>, 'licence_from' | 'licence_until'>,
  now: Date,
): boolean {
  const today = now.toISOString().slice(0, 10)
  return (star.licence_from ?? today) <= today && today <= (star.licence_until ?? today)
}
