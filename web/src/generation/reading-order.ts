import type { InspectAnswer } from '@starside/contract/generation.ts'

/** Faces of a photo as one counts them, by index: each row from left to right; between rows there is room for a face. */
export function readingOrder(faces: InspectAnswer['faces']): number[] {
  const middles = faces.map(({ y, height }) => y + height / 2)
  const rows: number[][] = []
  let endsAt = 0
  for (const index of [...faces.keys()].toSorted((a, b) => middles[a]! - middles[b]!)) {
    if (rows.length === 0 || middles[index]! > endsAt) rows.push([])
    rows.at(-1)?.push(index)
    endsAt = middles[index]! + faces[index]!.height
  }
  return rows.flatMap((row) => row.toSorted((a, b) => faces[a]!.x - faces[b]!.x))
}
