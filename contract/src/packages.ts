import type { Translated } from './languages.ts'

/** A package's id, such as the specification's `basic` and `premium`; an operator has others. */
export type PackageType = string

/** What comes with a package. */
export interface PackageFeature {
  text: string
  /** Whether it is what this package has before the others. */
  isDistinct: boolean
}

/** A credit package on sale, as its operator has set it. */
export interface CreditPackage {
  type: PackageType
  /** US cents, so that money is never a fraction. */
  priceCents: number
  credits: number
  title: Translated<string>
  description: Translated<string>
  features: Translated<PackageFeature[]>
  isPopular: boolean
}

/** The package that stays closed to who has bought (specification, section 6). */
export const premiumPackage = 'premium'

/** `1000` → `'10'`, `1990` → `'19.90'`: the price as the purchase button shows it, without the sign. */
export function priceText(priceCents: number): string {
  return priceCents % 100 === 0 ? String(priceCents / 100) : (priceCents / 100).toFixed(2)
}

/** US dollars per credit to three decimals, as the card shows it. */
export function pricePerCreditText(creditPackage: { priceCents: number; credits: number }): string {
  return (creditPackage.priceCents / 100 / creditPackage.credits).toFixed(3)
}
