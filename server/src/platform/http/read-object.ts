/** What a JSON text says; undefined where it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The fields of a JSON object that somebody else has sent; none for anything else. */
export function readObject(body: unknown): Record<string, unknown> {
  return body !== null && typeof body === 'object' ? { ...body } : {}
}
