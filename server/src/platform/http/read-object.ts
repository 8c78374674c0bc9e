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

/** A list that somebody else has sent; an empty one for anything else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text that somebody else has sent; an empty one for anything else. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
