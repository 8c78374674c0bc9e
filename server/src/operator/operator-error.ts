/** A request that the operator's pages refuse with a page of its own. */
export class OperatorError extends Error {
  override name = 'OperatorError'
  readonly status: number

  constructor(status: number, sentence: string) {
    super(sentence)
    this.status = status
  }
}
