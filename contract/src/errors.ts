import { accountErrors } from './account-errors.ts'
import type { ErrorDescription } from './account-errors.ts'
import { creditErrors } from './credit-errors.ts'
import { adjustmentsMax } from './limits.ts'
import { photoErrors } from './photo-errors.ts'

/**
 * Every expected failure: its HTTP status and the sentence a person reads. The closed list of the
 * whole product; a new member here is a new thing the interface has to translate.
 * No failure in this table uses a credit: a hold that was placed is released with it.
 */
export const errorTable = {
  // Requests of the wrong shape
  invalid_request: { status: 400, sentence: 'The request is not as expected.' },
  unknown_action: { status: 400, sentence: 'Unknown action.' },
  not_found: { status: 404, sentence: 'Not found.' },
  method_not_allowed: { status: 405, sentence: 'This address does not take that method.' },
  body_too_large: { status: 413, sentence: 'The request is too large.' },
  unsupported_media_type: { status: 415, sentence: 'The request has an unsupported content type.' },
  too_many_requests: { status: 429, sentence: 'Too many requests. Please wait a moment.' },
  idempotency_conflict: {
    status: 422,
    sentence: 'This Idempotency-Key was already used for a different request.',
  },
  internal: { status: 500, sentence: 'Something went wrong on our side. Please try again.' },
  unavailable: { status: 503, sentence: 'This site is busy right now. Please try again shortly.' },

  ...accountErrors,
  ...creditErrors,
  ...photoErrors,

  // Generation
  generation_running: {
    status: 409,
    sentence: 'A selfie is already being made. Please wait until it is finished.',
  },
  generation_failed: {
    status: 502,
    sentence: 'The selfie could not be made. Your credit was given back.',
  },
  provider_refused: {
    status: 422,
    sentence:
      'The image service declined this picture. Your credit was given back. Please try other photos or words.',
  },
  provider_bad_input: {
    status: 422,
    sentence:
      'The image service could not use these photos. Your credit was given back. Please try other photos.',
  },
  provider_busy: {
    status: 503,
    sentence:
      'The image service is busy right now. Your credit was given back. Please try again in a few minutes.',
  },
  provider_down: {
    status: 502,
    sentence:
      'The image service does not answer. Your credit was given back. Please try again later.',
  },
  provider_timeout: {
    status: 504,
    sentence: 'The image service took too long. Your credit was given back. Please try again.',
  },
  likeness_lost: {
    status: 502,
    sentence:
      'The image service gave somebody another face, so the picture was thrown away. Your credit was given back. Please try again or take other photos.',
  },
  generation_unknown: { status: 404, sentence: 'This picture does not exist.' },
  picture_expired: { status: 410, sentence: 'This picture address has expired. Please reload.' },

  // Variations
  already_made: {
    status: 409,
    sentence:
      'You have a picture of these two photos already. Choose another of its variations, or make it again for a credit.',
  },
  layers_expired: {
    status: 410,
    sentence: 'The parts of this picture are no longer kept, so it can no longer be adjusted.',
  },
  layers_unreadable: {
    status: 410,
    sentence:
      'The program was updated since this picture was made, so it can no longer be adjusted. You can still choose among its variations.',
  },
  arrangement_unfit: {
    status: 422,
    sentence: 'This arrangement has other people than the picture. Please reload the page.',
  },
  variation_unknown: { status: 404, sentence: 'This variation does not exist.' },
  variation_chosen: {
    status: 409,
    sentence: 'Your gallery shows this one. Please choose another one before you delete it.',
  },
  variations_too_many: {
    status: 409,
    sentence: `A picture can be saved in ${adjustmentsMax} adjusted versions. Please delete one first.`,
  },
  more_variations_made: {
    status: 409,
    sentence: 'The other variations of this picture were made already.',
  },
  variation_refused: {
    status: 422,
    sentence: 'A safety check refused this variation. Your other pictures stay.',
  },
  caption_refused: {
    status: 422,
    sentence: 'The line of text has words that cannot be used. Please change it.',
  },
  caption_letters: {
    status: 422,
    sentence:
      'The line of text can have Western European letters (also á, ç, ñ, ü), simplified Chinese characters, ' +
      'digits and the usual signs; others, as emoji, cannot be drawn.',
  },

  // Safety
  prompt_refused: {
    status: 422,
    sentence: 'Your description contains words that are not allowed here. Please rephrase it.',
  },
  photo_blocked: {
    status: 422,
    sentence: 'This photo was removed after a report and cannot be used again.',
  },
  picture_refused: {
    status: 422,
    sentence:
      'A safety check refused the picture. Your credit was given back. If this is a mistake, tell us.',
  },
  report_link_unknown: {
    status: 400,
    sentence: 'Please paste the link of the picture, or its id, as it is shown here.',
  },
  report_incomplete: {
    status: 400,
    sentence: 'Please say why, how we can reach you, and confirm the statement of good faith.',
  },

  // Orders
  package_invalid: { status: 400, sentence: 'Invalid package type' },
  order_unknown: { status: 404, sentence: 'Order not found' },
  order_not_underpaid: {
    status: 409,
    sentence: 'This order has no part of its price that could be credited.',
  },
  order_not_cancellable: { status: 409, sentence: 'This order can no longer be cancelled.' },
  payment_provider_down: {
    status: 502,
    sentence: 'The payment provider does not answer. Nothing was charged. Please try again.',
  },
  signature_invalid: { status: 401, sentence: 'The signature is not valid.' },
} as const satisfies Record<string, ErrorDescription>

export type ErrorCode = keyof typeof errorTable

/** True when `code` is a member of the closed list. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorTable, code)
}
