/** What a failed try says: worth another one or not. */
export class S3Error extends Error {
  override name = 'S3Error'
  readonly isPassing: boolean

  constructor(message: string, options: { isPassing: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.isPassing = options.isPassing
  }
}
