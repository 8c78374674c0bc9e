/** The luma of gamma-encoded colours, in the units of their channels (ITU-R BT.601). */
export function greyOf(red: number, green: number, blue: number): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue
}
