/** What a failed try says: worth another one or not. */
export class S3Error extends Error {
  override name = 'S3Error'
  readonly isTransient: boolean

  constructor(message: string, options: { isTransient: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.isTransient = options.isTransient
  }
}
