import type { Aspect } from '../image-provider.ts'

/**
 * Why a photo can't be used, or (`pair_too_tight`, `story_too_tight`) two, or two in a tall
 * picture.
 */
export type PhotoRefusal =
  | 'photo_empty'
  | 'photo_too_large'
  | 'photo_format'
  | 'photo_damaged'
  | 'photo_too_many_pixels'
  | 'photo_too_small'
  | 'background_too_narrow'
  | 'background_too_low'
  | 'background_unusable'
  | 'face_missing'
  | 'face_too_small'
  | 'face_cut'
  | 'face_profile'
  | 'face_tilted'
  | 'photo_blurred'
  | 'face_too_dark'
  | 'face_too_bright'
  | 'someone_between'
  | 'pair_too_tight'
  | 'story_too_tight'
  | 'people_too_far_apart'

/** What doesn't refuse a photo but would make a better picture if mended. */
export type PhotoHint =
  | 'several_faces'
  | 'tight_crop'
  | 'turned'
  | 'small_face'
  | 'eyes_closed'
  | 'hair_cut'
  | 'hard_sun'
  | 'bright_background'
  | 'dark_face'
  | 'bright_face'
  | 'no_colour'

/** Whose photo: the user's or the star's; or that of the place behind them. */
export const photoRoles = ['user', 'star', 'background'] as const
export type PhotoRole = (typeof photoRoles)[number]

/** Why people can't stand together in one format, and the formats in which they can, the widest first. */
export interface FormatRefusal {
  code: PhotoRefusal
  formats: Aspect[]
}

/** An expected failure of an untrusted photo. `photo` says which of them it was. */
export class PhotoError extends Error {
  override name = 'PhotoError'
  readonly code: PhotoRefusal
  readonly photo: PhotoRole | undefined

  constructor(code: PhotoRefusal, photo?: PhotoRole, options?: ErrorOptions) {
    super(code, options)
    this.code = code
    this.photo = photo
  }
}
