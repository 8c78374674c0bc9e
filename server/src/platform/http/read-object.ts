/** The fields of a JSON object that somebody else has sent; none for anything else. */
export function readObject(body: unknown): Record<string, unknown> {
  return body !== null && typeof body === 'object' ? { ...body } : {}
}
