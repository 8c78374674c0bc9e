import { inEveryLanguage } from '@starside/contract/languages.ts'
import type { CreditPackage } from '@starside/contract/packages.ts'

const offered = (title: string, priceCents: number, credits: number): CreditPackage => ({
  type: title.toLowerCase(),
  priceCents,
  credits,
  title: inEveryLanguage(() => title),
  description: inEveryLanguage(() => ''),
  features: inEveryLanguage(() => []),
  isPopular: false,
})

/** Packages for tests, with the specification's ids. */
export const basic = offered('Basic', 1_000, 40)
export const premium = offered('Premium', 1_990, 200)
