/** A change of credits: `+2`, `0`, `−1` with a real minus sign. */
export function signed(credits: number): string {
  return `${credits > 0 ? '+' : ''}${credits}`.replace('-', '\u2212')
}
