/** Something that the photo check says of one face, by its place among several, or of the whole photo. */
export interface Finding {
  face: number | undefined
  text: string
  /** Of a hint. */
  code?: string | undefined
}

/** The same said of several faces. */
export interface GroupedFinding {
  /** In ascending order; empty for the whole photo. */
  faces: number[]
  text: string
  code?: string | undefined
}

/** Says what is found of several faces once, where it is found first. */
export function groupFindings(findings: readonly Finding[]): GroupedFinding[] {
  const byText = new Map<string, { faces: Set<number>; code?: string | undefined }>()
  for (const { face, text, code } of findings) {
    const found = byText.get(text) ?? { faces: new Set(), code }
    if (face !== undefined) found.faces.add(face)
    byText.set(text, found)
  }
  return Array.from(byText, ([text, { faces, code }]) => ({
    text,
    code,
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
