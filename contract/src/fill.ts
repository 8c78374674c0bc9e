/** What stands in the places of a text. */
export type TextValues = Readonly<Record<string, string | number>>

/** Puts `values`, not read again, into places such as `{credits}`; one without a value stays. */
export function fill(text: string, values: TextValues): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : place,
  )
}

/** `one {# credit}` and `=0 {none}`: a branch's words may have plain places, no branches of their own. */
const branch = /(=?\w+)\s*\{((?:[^{}]|\{\w+\})*)\}/g
const choice = /\{(\w+),\s*(plural|select),((?:\s*=?\w+\s*\{(?:[^{}]|\{\w+\})*\})+)\s*\}/g

/**
 * As `fill`, also with ICU MessageFormat: `{credits, plural, one {# credit} other {# credits}}`,
 * `{who, select, you {Your} other {Their}}`. `language` (BCP 47) decides plurals; `#` has no separators.
 */
export function formatMessage(text: string, values: TextValues, language: string): string {
  const chosen = text.replaceAll(choice, (place, name: string, kind: string, list: string) => {
    const value = Object.hasOwn(values, name) ? String(values[name]) : undefined
    if (value === undefined) return place
    const words = new Map([...list.matchAll(branch)].map(([, key, inner]) => [key, inner]))
    if (kind === 'select') return words.get(value) ?? words.get('other') ?? ''
    const category = new Intl.PluralRules(language).select(Number(value))
    const one = words.get(`=${value}`) ?? words.get(category) ?? words.get('other') ?? ''
    return one.replaceAll('#', value)
  })
  return fill(chosen, values)
}

/** `1 credit`, `2 credits`: in English, as operators, invoices and the books say it. */
export function creditsText(credits: number): string {
  return formatMessage('{credits, plural, one {# credit} other {# credits}}', { credits }, 'en')
}
