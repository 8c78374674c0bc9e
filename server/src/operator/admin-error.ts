/** A request that the operator's pages refuse with a page of its own. */
export class AdminError extends Error {
  override name = 'AdminError'
  readonly status: number

  constructor(status: number, sentence: string) {
    super(sentence)
    this.status = status
  }
}
