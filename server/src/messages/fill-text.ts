/** Puts names into the places of a text, such as `{brand}`; what they hold is not read again. */
export function fillText(text: string, names: Record<string, string>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => names[name] ?? place)
}
