/** The credit packages (specification, section 9): the one table that prices and credits come from. */

export type PackageType = 'basic' | 'premium'

export interface CreditPackage {
  type: PackageType
  /** US cents, so that money is never a fraction. */
  priceCents: number
  credits: number
  title: string
  description: string
  features: readonly string[]
  /** True for both: either package lifts its buyer to the premium tier. */
  isPremium: true
}

export const packages: Record<PackageType, CreditPackage> = {
  basic: {
    type: 'basic',
    priceCents: 1000,
    credits: 100,
    title: 'Basic',
    description: 'Watermark-free photos for good',
    features: [
      'Permanent watermark-free photos',
      '100 generations',
      'High-quality output',
      'Instant processing',
      'Credits never expire',
      'Lifetime watermark removal',
    ],
    isPremium: true,
  },
  premium: {
    type: 'premium',
    priceCents: 1990,
    credits: 200,
    title: 'Premium',
    description: 'More credits, first in the queue',
    features: [
      'Watermark-free photos',
      '200 generations',
      'Priority processing',
      'High-resolution downloads',
      'Premium support',
      'Credits never expire',
    ],
    isPremium: true,
  },
}

/** `1000` → `'10'`, `1990` → `'19.90'`: the price as the purchase button shows it, without the sign. */
export function priceText(priceCents: number): string {
  return priceCents % 100 === 0 ? String(priceCents / 100) : (priceCents / 100).toFixed(2)
}

/** US dollars per credit to three decimals, as the card shows it. */
export function pricePerCreditText(creditPackage: CreditPackage): string {
  return (creditPackage.priceCents / 100 / creditPackage.credits).toFixed(3)
}
