import sentences from './texts/en/errors.json' with { type: 'json' }

/**
 * Every expected failure with its HTTP status. The closed list of the whole product; a new member here
 * has a sentence in `texts/<language>/errors.json`.
 * No failure in this table uses a credit: a hold that was placed is released with it.
 */
const statuses = {
  // Requests of the wrong shape
  invalid_request: 400,
  unknown_action: 400,
  not_found: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  idempotency_conflict: 422,
  internal: 500,
  unavailable: 503,

  // Registration, sign-in, password and session
  fields_required: 400,
  password_too_short: 400,
  password_too_long: 400,
  username_too_short: 400,
  username_too_long: 400,
  username_invalid: 400,
  email_invalid: 400,
  email_taken: 409,
  referral_unknown: 400,
  credentials_wrong: 401,
  password_wrong: 400,
  sign_in_limited: 429,
  proof_required: 429,
  mail_not_set_up: 503,
  token_missing: 401,
  token_invalid: 401,
  account_suspended: 403,
  email_disposable: 400,
  confirmation_token_invalid: 400,
  session_unknown: 404,
  reset_token_invalid: 400,

  // Credits and terms
  amount_invalid: 400,
  insufficient_credits: 402,
  hold_returned: 409,
  terms_outdated: 409,

  // Vouchers
  voucher_unknown: 400,
  voucher_void: 409,
  voucher_not_yet: 409,
  voucher_over: 409,
  voucher_used_up: 409,
  voucher_redeemed: 409,
  voucher_limited: 429,

  // What a selfie is asked for with, its photos above all
  photos_required: 400,
  preset_unknown: 400,
  consent_required: 400,
  prompt_too_long: 400,
  photo_empty: 400,
  photo_too_large: 413,
  /** The server no longer has the photo that was named by its digest. */
  upload_expired: 409,

  // No 408 (RFC 9110, section 15.5.9): browsers repeat such a request by themselves.
  upload_too_slow: 400,
  photo_format: 415,
  photo_damaged: 422,
  photo_too_many_pixels: 413,
  photo_too_small: 422,
  face_missing: 422,
  face_too_small: 422,
  face_cut: 422,
  face_profile: 422,
  face_tilted: 422,
  photo_blurred: 422,
  face_unknown: 422,
  face_chosen_twice: 400,
  star_chosen_twice: 400,
  people_too_many: 400,
  two_stars_unsupported: 422,
  people_too_far_apart: 422,
  pair_too_tight: 422,
  story_too_tight: 422,
  background_too_narrow: 422,
  background_too_low: 422,
  background_unusable: 422,
  scene_and_background: 400,
  background_unsupported: 422,

  // Generation
  generation_running: 409,
  generation_failed: 502,
  provider_refused: 422,
  provider_bad_input: 422,
  provider_busy: 503,
  provider_down: 502,
  provider_timeout: 504,
  likeness_lost: 502,
  generation_unknown: 404,
  picture_expired: 410,

  // Variations
  already_made: 409,
  layers_expired: 410,
  layers_unreadable: 410,
  arrangement_unfit: 422,
  variation_unknown: 404,
  variation_chosen: 409,
  variations_too_many: 409,
  more_variations_made: 409,
  variation_refused: 422,
  caption_refused: 422,
  caption_letters: 422,

  // Safety
  prompt_refused: 422,
  photo_blocked: 422,
  picture_refused: 422,
  report_link_unknown: 400,
  report_incomplete: 400,

  // Events
  event_unknown: 404,
  event_upcoming: 409,
  event_over: 409,
  event_consent_outdated: 409,
  event_credits_used: 409,
  event_selfies_used: 402,
  event_queue_full: 503,
  event_choice_unknown: 400,
  event_link_unknown: 403,
  event_role_missing: 403,
  guest_unknown: 403,
  hand_over_unknown: 409,
  prints_too_many: 409,
  print_unknown: 404,

  // Orders
  package_invalid: 400,
  order_unknown: 404,
  order_not_underpaid: 409,
  order_not_cancellable: 409,
  payment_provider_down: 502,
  signature_invalid: 401,
} as const satisfies Record<keyof typeof sentences, number>

export type ErrorCode = keyof typeof statuses

/** The HTTP status of each failure, and the sentence a person reads, in English. */
export const errorTable = Object.fromEntries(
  Object.entries(statuses).map(([code, status]) => [
    code,
    { status, sentence: sentences[code as ErrorCode] },
  ]),
) as Readonly<Record<ErrorCode, { status: number; sentence: string }>>

/** True when `code` is a member of the closed list. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(statuses, code)
}
