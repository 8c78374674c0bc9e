import { errorTable } from '@starside/contract/errors.ts'
import type { ErrorCode } from '@starside/contract/errors.ts'
import type { PhotoRole } from '@starside/engine/photo/photo-error.ts'

/** An expected failure; status and sentence by the contract's table, unless `sentence` is given. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly status: number
  /** Seconds after which a new try makes sense, for the Retry-After header. */
  readonly retryAfterSeconds: number | undefined
  /** Which of the two photos was refused, where it was one. */
  readonly photo: PhotoRole | undefined
  /** The selfie that is there already, where that is the reason. */
  readonly generationId: string | undefined

  constructor(
    code: ErrorCode,
    options: {
      sentence?: string
      retryAfterSeconds?: number
      photo?: PhotoRole
      generationId?: string
      cause?: unknown
    } = {},
  ) {
    super(options.sentence ?? errorTable[code].sentence, { cause: options.cause })
    this.code = code
    this.status = errorTable[code].status
    this.photo = options.photo
    this.generationId = options.generationId
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
