/**
 * Pairs everybody as the user with three stars: cut-outs first (what the product's presets are),
 * then photos, never with the same person's other file.
 */
export function choosePairs<T extends { file: string }>(
  people: readonly T[],
  guests: readonly T[],
): [T, T][] {
  const cutOuts = guests.filter(isCutOut)
  const photos = guests.filter((guest) => !isCutOut(guest))
  const pairs: [T, T][] = []
  for (const [index, user] of people.filter((person) => !isCutOut(person)).entries()) {
    const stars = [
      cutOuts[index % Math.max(1, cutOuts.length)],
      photos[(index + 1) % Math.max(1, photos.length)],
      photos[(index + 4) % Math.max(1, photos.length)],
    ]
    for (const star of new Set(stars)) {
      if (star && nameOf(star) !== nameOf(user)) pairs.push([user, star])
    }
  }
  return pairs
}

function isCutOut(person: { file: string }): boolean {
  return /-cutout\.png$/i.test(person.file)
}

function nameOf(person: { file: string }): string {
  return person.file.replace(/(?:-cutout)?\.\w+$/i, '')
}
