/** Numbers names that stand several times, as those of two photos of one's own. */
export function numberAlike(names: readonly string[]): string[] {
  return names.map((name, n) => {
    if (names.filter((other) => other === name).length === 1) return name
    const number = names.slice(0, n + 1).filter((other) => other === name).length
    return `${name} ${number}`
  })
}
