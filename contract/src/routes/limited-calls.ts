/** The calls whose number is limited, beside those on guessing. */
export const limitedCalls = [
  'generate',
  'inspect',
  'consume-credits',
  'order',
  'share',
  'export',
  'verify',
  'report',
  'confirmation',
] as const
export type LimitedCall = (typeof limitedCalls)[number]
