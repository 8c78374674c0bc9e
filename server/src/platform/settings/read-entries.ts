/** The entries of a list that operators write: one a line; what follows a number sign is a remark. */
export function readEntries(text: string): string[] {
  return text.split('\n').flatMap((line) => line.split('#')[0]?.trim() || [])
}
