/** What stands in the places of a text. */
export type TextValues = Readonly<Record<string, string | number>>

/**
 * Puts `values` into the places of a text: `{credits}` is the value itself, `{credits|credit|credits}`
 * the first form for one and the second for any other number. A place without a value stays as it is,
 * and what the values hold is not read again.
 */
export function fill(text: string, values: TextValues): string {
  return text.replaceAll(
    /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g,
    (place, name: string, one?: string, other?: string) => {
      const value = Object.hasOwn(values, name) ? String(values[name]) : undefined
      if (value === undefined || one === undefined) return value ?? place
      return value === '1' ? one : (other ?? one)
    },
  )
}

/** `1 credit`, `2 credits`: in English, as operators, invoices and the books say it. */
export function creditsText(credits: number): string {
  return fill('{credits} {credits|credit|credits}', { credits })
}
