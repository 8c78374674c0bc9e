/** True for a UUID in lower case (RFC 9562, section 4); PostgreSQL fails at any other text. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
