/**
 * The first word after a command that its usage has no place for, such as `support` in
 * `operator add sam support`, which would make an owner of somebody who was meant to be less.
 *
 * @param usage as commands declare it: `NAME [--role ROLE] [--all]`; … takes any number of words
 */
export function findSurplusWord(usage: string, words: readonly string[]): string | undefined {
  if (usage.includes('…')) return undefined
  const places = usage.replaceAll(/[[\]]/g, '').split(/\s+/)
  const takesValue = (option: string) => {
    const at = places.indexOf(option)
    return at >= 0 && places[at + 1]?.startsWith('--') === false
  }
  const positionals = (text: readonly string[]) => positionalsOf(text, takesValue)
  return positionals(words)[positionals(places.filter((place) => place !== '')).length]
}

function positionalsOf(
  words: readonly string[],
  takesValue: (option: string) => boolean,
): readonly string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length
  const open = words.slice(0, end)
  const found = open.filter((word, index) => {
    if (word.startsWith('-')) return false
    const before = open[index - 1] ?? ''
    return !(before.startsWith('--') && takesValue(before))
  })
  return [...found, ...words.slice(end + 1)]
}
