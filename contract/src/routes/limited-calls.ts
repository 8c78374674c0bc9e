/** The calls whose number is limited, beside those on guessing. */
export type LimitedCall =
  | 'generate'
  | 'inspect'
  | 'adjust'
  | 'preview'
  | 'consume-credits'
  | 'order'
  | 'share'
  | 'export'
  | 'verify'
  | 'report'
  | 'confirmation'
  | 'join'
