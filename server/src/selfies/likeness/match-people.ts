import type { FaceDistances } from './face-comparison.ts'

/**
 * Which face of a picture is whose, as alike as it can be over all, and how alike each person is.
 * @param distances of all faces to each other, first those of the people's photos, then the picture's
 * @param peopleCount how many of them are of photos; the picture has at least as many
 * @returns for each person 0…1, 1 for the same photo
 */
export function matchPeople(distances: FaceDistances, peopleCount: number): number[] {
  const faces = distances.map((_, index) => index).slice(peopleCount)
  const far = (person: number, face: number): number => distances[person]![face]!
  const match = (person: number, left: readonly number[]): { total: number; each: number[] } => {
    if (person === peopleCount) return { total: 0, each: [] }
    const choices = left.map((face) => {
      const rest = match(
        person + 1,
        left.filter((other) => other !== face),
      )
      const own = far(person, face)
      return { total: own + rest.total, each: [own, ...rest.each] }
    })
    return choices.reduce((best, choice) => (choice.total < best.total ? choice : best))
  }
  return match(0, faces).each.map((own) => 1 - Math.min(own, 1))
}
