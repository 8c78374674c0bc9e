import type { InspectedFace } from './inspection.ts'

interface Size {
  widthPx: number
  heightPx: number
}

/** A part of a photo in its pixels; it may reach beyond the photo's edges. */
export interface FitWindow {
  left: number
  top: number
  width: number
  height: number
}

/** How much of a head lies around the box of its face, in shares of that box. */
const around = { above: 0.7, elsewhere: 0.4 }

/**
 * The window of a photo that has a target's shape and shows every head whole: as large as the photo
 * lets it be, around the heads. Where they need more than the photo has, it reaches beyond.
 * @param faces boxes in fractions of the photo
 */
export function planFit(
  photo: Size,
  faces: readonly Pick<InspectedFace, 'x' | 'y' | 'width' | 'height'>[],
  target: Size,
): FitWindow {
  const ratio = target.widthPx / target.heightPx
  const heads = headsOf(photo, faces)
  const inside = Math.min(photo.widthPx, photo.heightPx * ratio)
  const width = Math.max(inside, heads.width, heads.height * ratio)
  const height = width / ratio
  return {
    left: place(heads.left + heads.width / 2, width, photo.widthPx),
    top: place(heads.top + heads.height / 2, height, photo.heightPx),
    width,
    height,
  }
}

/** The box of all heads within the photo; without faces its middle. */
function headsOf(photo: Size, faces: Parameters<typeof planFit>[1]): FitWindow {
  const { widthPx, heightPx } = photo
  if (faces.length === 0) return { left: widthPx / 2, top: heightPx / 2, width: 0, height: 0 }
  const left = Math.min(...faces.map(({ x, width }) => x - width * around.elsewhere))
  const right = Math.max(...faces.map(({ x, width }) => x + width * (1 + around.elsewhere)))
  const top = Math.min(...faces.map(({ y, height }) => y - height * around.above))
  const bottom = Math.max(...faces.map(({ y, height }) => y + height * (1 + around.elsewhere)))
  const x = Math.max(0, left) * widthPx
  const y = Math.max(0, top) * heightPx
  return {
    left: x,
    top: y,
    width: Math.min(1, right) * widthPx - x,
    height: Math.min(1, bottom) * heightPx - y,
  }
}

/** Where a stretch begins that is centred on a point, but stays within what there is. */
function place(centre: number, length: number, available: number): number {
  if (length > available) return (available - length) / 2
  return Math.min(Math.max(centre - length / 2, 0), available - length)
}
