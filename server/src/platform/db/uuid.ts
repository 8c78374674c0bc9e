/**
 * True for a UUID in PostgreSQL's own spelling (RFC 9562, section 4, lower case). PostgreSQL answers
 * any other text with an error of its own, so texts of callers are looked at before a statement.
 */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
