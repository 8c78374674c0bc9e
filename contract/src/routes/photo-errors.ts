/** The refusals of every call that takes a photo. */
export const photoErrors = [
  'photos_required',
  'photo_empty',
  'photo_too_large',
  'upload_too_slow',
  'photo_format',
  'photo_damaged',
  'photo_too_many_pixels',
  'photo_too_small',
] as const

/** What is refused of the photo of a place. */
export const backgroundErrors = [
  'background_too_narrow',
  'background_too_low',
  'background_unusable',
] as const
