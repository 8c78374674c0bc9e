/** Why a picture that a hosted provider made can't be given to the user. */
export type PictureFault =
  /** No JPEG, PNG, WebP or AVIF, or one that can't be decoded. */
  | 'picture_damaged'
  | 'picture_too_large'
  | 'picture_too_small'
  /** Fewer faces are in it than were asked for. */
  | 'faces_missing'
  /** Somebody is in it who was not asked for. */
  | 'faces_extra'

/** An expected fault of a hosted provider's picture; the photos it was made of are not to blame. */
export class PictureError extends Error {
  override name = 'PictureError'
  readonly fault: PictureFault

  constructor(fault: PictureFault, options?: ErrorOptions) {
    super(fault, options)
    this.fault = fault
  }
}
