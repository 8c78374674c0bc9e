/** Where the calls live, and names in browsers' stores. No schema library: browsers load this. */

/** Every product call lies under this path. */
export const apiBasePath = '/api'

/** Keys of the browser's local storage. */
export const storageKeys = {
  /** The bearer token (specification, section 6). */
  authToken: 'auth_token',
  /** The browser's own map of orders by order id. */
  paymentOrders: 'payment_orders',
  /** The last generated picture: `{imageUrl, timestamp}`. */
  generatedImage: 'generated_image',
  /** A success message that survives the reload after a payment. */
  paymentNotice: 'payment_notice',
  /** A referral code carried from the landing page to the registration form. */
  referralCode: 'referral_code',
  /** Session storage: a voucher code that came with a link, until it is redeemed. */
  voucherCode: 'voucher_code',
  /** Session storage: the star that was tried on the landing page, until the studio takes it. */
  chosenStar: 'chosen_star',
  /** Chosen interface language: `en`, `zh` or `es`. */
  language: 'language',
  /** Chosen theme: `light` or `dark`; absent means the device's. */
  theme: 'theme',
  /** Id of a generation that was still running when the page was left. */
  runningGeneration: 'running_generation',
  /** Session storage: credits that this tab holds and no picture has claimed. */
  openHold: 'open_hold',
  /** Session storage: when the upload began that was cut off by leaving the page. */
  interruptedUpload: 'interrupted_upload',
} as const

/** Request header with which a repeated call is recognised (draft-ietf-httpapi-idempotency-key-header). */
export const idempotencyKeyHeader = 'idempotency-key'

/** `Prefer: respond-async` (RFC 7240): `generate` answers 202 at once with the generation's id. */
export const respondAsync = 'respond-async'
