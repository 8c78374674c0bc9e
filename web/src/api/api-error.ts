/**
 * A call that did not succeed. `message` is the server's sentence where it gave one, else the
 * specification's; `fromServer` says which. `code` is one of the contract's error table, or
 * a local one: NETWORK_ERROR, PROXY_ERROR, HTTP_ERROR, BAD_ANSWER, NO_REASON (a picture failed, and
 * the answer does not say why), NO_PICTURE (one succeeded, and the answer does not say where it
 * is).
 */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly fromServer: boolean

  constructor(message: string, status: number, code: string, fromServer = false) {
    super(message)
    this.status = status
    this.code = code
    this.fromServer = fromServer
  }
}

/** True when the call was given up by its own caller, which is no failure to show. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
