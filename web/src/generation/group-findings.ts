/** Something that the photo check says of one face, by its place among several, or of the whole photo. */
export interface Finding {
  face: number | undefined
  text: string
}

/** The same said of several faces. */
export interface GroupedFinding {
  /** In ascending order; empty for the whole photo. */
  faces: number[]
  text: string
}

/** Says what is found of several faces once, where it is found first. */
export function groupFindings(findings: readonly Finding[]): GroupedFinding[] {
  const facesByText = new Map<string, Set<number>>()
  for (const { face, text } of findings) {
    const faces = facesByText.get(text) ?? new Set()
    facesByText.set(text, face === undefined ? faces : faces.add(face))
  }
  return Array.from(facesByText, ([text, faces]) => ({
    text,
    faces: [...faces].toSorted((one, other) => one - other),
  }))
}

/**
 * The numbers of faces, counted from 1, as `2, 4–7, 9`.
 * @param faces counted from 0, in ascending order
 */
export function numbersText(faces: readonly number[]): string {
  const runs: { from: number; to: number }[] = []
  for (const face of faces) {
    const last = runs.at(-1)
    if (last?.to === face - 1) last.to = face
    else runs.push({ from: face, to: face })
  }
  const rangeMin = 3
  return runs
    .flatMap(({ from, to }) => {
      const count = to - from + 1
      if (count >= rangeMin) return `${from + 1}–${to + 1}`
      return Array.from({ length: count }, (_, n) => String(from + n + 1))
    })
    .join(', ')
}
