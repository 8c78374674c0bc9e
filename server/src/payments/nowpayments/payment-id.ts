/**
 * A payment id as the integer it is, in decimal digits. The provider spells it as a number or as
 * text, and a signed body may spell the same number as `5745459419.0` or `5.745459419e9`: one
 * spelling only may become a key. Undefined when it isn't a positive safe integer.
 */
export function canonicalPaymentId(value: unknown): string | undefined {
  const isSpelling = typeof value === 'number' || (typeof value === 'string' && isNumeral(value))
  if (!isSpelling) return undefined
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? String(id) : undefined
}

function isNumeral(text: string): boolean {
  return /^\d{1,20}(\.\d{1,20})?(e\+?\d{1,2})?$/i.test(text.trim())
}
