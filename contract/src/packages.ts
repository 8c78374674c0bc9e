import type { PublicSettingsAnswer } from './public-settings.ts'

/** A credit package on sale, as its operator has set it. */
export type CreditPackage = PublicSettingsAnswer['packages'][number]

/** The package that stays closed to who has bought (specification, section 6). */
export const premiumPackage = 'premium'

/** `1000` → `'10'`, `1990` → `'19.90'`: the price as the purchase button shows it, without the sign. */
export function priceText(priceCents: number): string {
  return priceCents % 100 === 0 ? String(priceCents / 100) : (priceCents / 100).toFixed(2)
}

/** US dollars per credit to three decimals, a half rounded down, as the card shows it. */
export function pricePerCreditText(creditPackage: { priceCents: number; credits: number }): string {
  return (-Math.round((creditPackage.priceCents * -10) / creditPackage.credits) / 1000).toFixed(3)
}
