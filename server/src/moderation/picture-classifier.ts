/**
 * A model that judges pictures: nsfwjs, once its packages are installed, or one that the operator
 * brings. By default there is none.
 */
export interface PictureClassifier {
  /** Written into the record beside every refusal. */
  readonly name: string
  /**
   * The outside service that it sends photos to, as people know it. They read so where they choose
   * a photo. Left out: photos stay with this installation.
   */
  readonly sendsPhotosTo?: string
  /**
   * Judges an upright JPEG or PNG of at most 2048 pixels. Answers why it is refused, or undefined.
   * An error counts as no judgement: it is logged, and the picture passes.
   */
  judge(
    picture: Uint8Array,
    options: { kind: 'photo' | 'result'; signal: AbortSignal },
  ): Promise<string | undefined>
}
