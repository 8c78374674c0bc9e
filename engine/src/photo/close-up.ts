import type { NormalisedPhoto } from '../image-provider.ts'
import type { InspectedFace } from './inspection.ts'
import { photoSidePxMax } from './normalise.ts'
import type { PhotoPart } from './normalise.ts'

/** A picture shows no more of a photo on any side of a face than this, in sides of the face's box. */
const reach = 4
/** A part is read anew where its heads gain so many times their size. */
const gainMin = 1.25

type FaceBox = Pick<InspectedFace, 'x' | 'y' | 'width' | 'height'>

/**
 * The part that a picture of these faces (one or more) needs, if the upload has more of it, or something else about it.
 * @param content see `planContent`
 */
export function planCloseUp(
  { widthPx, heightPx, shrunkBy = 1 }: Pick<NormalisedPhoto, 'widthPx' | 'heightPx' | 'shrunkBy'>,
  faces: readonly FaceBox[],
  content?: PhotoPart,
): PhotoPart | undefined {
  const inside = content ?? { left: 0, top: 0, width: 1, height: 1 }
  const around = faces.map((face) => {
    const side = Math.max(face.width * widthPx, face.height * heightPx)
    const [aside, updown] = [(reach * side) / widthPx, (reach * side) / heightPx]
    const { x, y } = middleOf(face)
    return { left: x - aside, right: x + aside, top: y - updown, bottom: y + updown }
  })
  const end = { right: inside.left + inside.width, bottom: inside.top + inside.height }
  const left = Math.max(inside.left, Math.min(...around.map((each) => each.left)))
  const top = Math.max(inside.top, Math.min(...around.map((each) => each.top)))
  const width = Math.min(end.right, Math.max(...around.map(({ right }) => right))) - left
  const height = Math.min(end.bottom, Math.max(...around.map(({ bottom }) => bottom))) - top
  const longSidePx = shrunkBy * Math.max(width * widthPx, height * heightPx)
  const gain = shrunkBy * Math.min(1, photoSidePxMax / longSidePx)
  return content || gain >= gainMin ? { left, top, width, height } : undefined
}

/** Which faces of a part are those of the whole photo: indexes, or undefined if one is missing. */
export function findInPart(
  faces: readonly FaceBox[],
  { left, top, width, height }: PhotoPart,
  facesOfPart: readonly FaceBox[],
): number[] | undefined {
  const found = faces.map((face) => {
    const { x, y } = middleOf(face)
    const middle = { x: (x - left) / width, y: (y - top) / height }
    return facesOfPart.findIndex(
      (other) =>
        Math.abs(middleOf(other).x - middle.x) < other.width / 2 &&
        Math.abs(middleOf(other).y - middle.y) < other.height / 2,
    )
  })
  const isWhole = !found.includes(-1) && new Set(found).size === found.length
  return isWhole ? found : undefined
}

function middleOf({ x, y, width, height }: FaceBox): { x: number; y: number } {
  return { x: x + width / 2, y: y + height / 2 }
}
