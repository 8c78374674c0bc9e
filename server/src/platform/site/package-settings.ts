import type { CreditPackage } from '@starside/contract/packages.ts'
import { fill } from '@starside/contract/fill.ts'
import { defaultLanguage, inEveryLanguage } from '@starside/contract/languages.ts'
import type { Translated } from '@starside/contract/languages.ts'
import { readTexts } from '@starside/contract/read-texts.ts'
import { z } from 'zod'
import { plainLine } from './brand-settings.ts'

export const packagesMax = 6
export const featuresMax = 10

const title = plainLine(30)
const description = plainLine(80)
/** One a line in the form; what only this package has begins with an asterisk. `{credits}` is its own. */
const features = z.array(plainLine(82).min(1)).max(featuresMax, `At most ${featuresMax} lines.`)

/** What a package may be; the bounds of price and credits are constraints of the orders, too. */
export const packageSchema = z.object({
  id: z
    .string()
    .trim()
    .regex(/^[a-z][a-z\d_-]{1,29}$/, '2 to 30 lower-case letters, digits, _ or -'),
  title: z.object(
    inEveryLanguage((language) =>
      language === defaultLanguage ? title.min(1, 'A title is needed.') : title,
    ),
  ),
  description: z.object(inEveryLanguage(() => description)),
  features: z.object(inEveryLanguage(() => features)),
  priceCents: z.number().int().min(50, 'At least $0.50.').max(1_000_000, 'At most $10,000.'),
  credits: z.number().int().min(1, 'At least one.').max(100_000, 'At most 100,000.'),
  isPopular: z.boolean(),
  isOnSale: z.boolean(),
})
export type SitePackage = z.infer<typeof packageSchema>

/** The credit packages, in the order that they are offered in (specification, section 9). */
export const packagesSchema = z
  .array(packageSchema)
  .min(1, 'At least one package.')
  .max(packagesMax, `At most ${packagesMax} packages.`)
  .refine(
    (list) => new Set(list.map(({ id }) => id)).size === list.length,
    'Each package has an id of its own.',
  )
  .refine((list) => list.some(({ isOnSale }) => isOnSale), 'At least one package is on sale.')
  .refine(
    (list) => list.filter(({ isPopular }) => isPopular).length <= 1,
    'At most one package is the most popular one.',
  )

const specifiedTexts = readTexts('packages')

/** The specification's packages. */
export const specifiedPackages: SitePackage[] = [
  { ...textsOf('basic'), priceCents: 1000, credits: 100, isPopular: false, isOnSale: true },
  { ...textsOf('premium'), priceCents: 1990, credits: 200, isPopular: true, isOnSale: true },
]

function textsOf(id: 'basic' | 'premium') {
  return {
    id,
    title: inEveryLanguage((language) => specifiedTexts[language][id].title),
    description: inEveryLanguage((language) => specifiedTexts[language][id].description),
    features: inEveryLanguage((language) => specifiedTexts[language][id].features),
  }
}

/** The packages on sale, as browsers get them: what lacks a translation is shown in English. */
export function presentPackages(list: readonly SitePackage[]): CreditPackage[] {
  return list
    .filter(({ isOnSale }) => isOnSale)
    .map(({ id, priceCents, credits, isPopular, ...texts }) => ({
      type: id,
      priceCents,
      credits,
      isPopular,
      title: inEvery(texts.title, (text) => text),
      description: inEvery(texts.description, (text) => text),
      features: inEvery(texts.features, (lines) =>
        lines.map((line) => ({
          text: fill(line.replace(/^\*\s*/, ''), { credits }),
          isDistinct: line.startsWith('*'),
        })),
      ),
    }))
}

function inEvery<Value extends { length: number }, Shown>(
  values: Translated<Value>,
  show: (value: Value) => Shown,
): Translated<Shown> {
  return inEveryLanguage((language) => {
    const value = values[language]
    return show(value.length === 0 ? values[defaultLanguage] : value)
  })
}
