/** An array of anything as what it is; whatever is none as an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
