/** A refusal in the provider's own form: `{status, statusCode, code, message}`. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly statusCode: number
  readonly code: string

  constructor(statusCode: number, code: string, message: string) {
    super(message)
    this.statusCode = statusCode
    this.code = code
  }
}

export function badRequest(message: string): GatewayError {
  return new GatewayError(400, 'BAD_REQUEST', message)
}

/** The body that goes with a refusal. */
export function errorBody(error: GatewayError) {
  return {
    status: false,
    statusCode: error.statusCode,
    code: error.code,
    message: error.message,
  }
}
