/** Puts `values` into the `{name}` places of a message; a place without a value stays as it is. */
export function fill(message: string, values: Record<string, string | number>): string {
  return message.replace(/\{(\w+)\}/g, (place, name: string) =>
    name in values ? String(values[name]) : place,
  )
}
