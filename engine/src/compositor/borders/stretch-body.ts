import type { Frame } from '../shared-frames.ts'

/** Where and how far a body is made longer, in rows of the picture. */
export interface BodyStretch {
  /** The row from which on the body is stretched; above, nothing changes. */
  fromRow: number
  /** The row where the photo ends. */
  photoEnd: number
}

/** Draws a body's rows below `fromRow` longer, in place, to reach the lower border. */
export function stretchBody({ image, alpha }: Frame, { fromRow, photoEnd }: BodyStretch): void {
  const { width, height } = alpha
  const from = Math.max(0, Math.round(fromRow))
  const wanted = height - from
  // The last two rows of a photo are never used: its border bleeds into them.
  const there = Math.min(photoEnd - 2, height - 1) - from
  // From below, as each row becomes a mix of rows that lie above it.
  for (let y = height - 1; y >= from; y--) {
    const row = from + (there * (y - from)) / wanted
    mixRows(image.data, width * 3, row, y, height)
    mixRows(alpha.data, width, row, y, height)
  }
}

function mixRows(
  data: Uint8Array,
  length: number,
  row: number,
  targetRow: number,
  height: number,
): void {
  const above = Math.floor(row)
  const share = row - above
  const first = above * length
  const second = Math.min(above + 1, height - 1) * length
  const out = targetRow * length
  for (let i = 0; i < length; i++) {
    data[out + i] = data[first + i]! * (1 - share) + data[second + i]! * share + 0.5
  }
}
