import { clamp } from '../../image/raster.ts'
import type { Similarity } from '../../image/warp.ts'
import { releaseMemory } from '../../release-memory.ts'
import { brighten } from '../harmonise/match-exposure.ts'
import { shiftSkin } from '../harmonise/match-skin.ts'
import { cutOutPerson, isPerson, looseHair } from '../matting/cut-out-person.ts'
import type { Silhouette } from '../matting/silhouette.ts'
import type { ReadSubject } from '../read-subject.ts'
import type { Frame } from '../shared-frames.ts'
import type { CutLayerRequest } from '../thread-messages.ts'
import { fillOutward } from './fill-outward.ts'
import type { SubjectLayer } from './layers.ts'

/** Where one subject's layer lies, and how large it is. */
export interface LayerShape {
  place: SubjectLayer['place']
  width: number
  height: number
}

/** A layer of a picture of standard size has at most so many pixels; one of twice the area twice. */
const pixelsMax = 2_000_000
/** The same with its sides rounded up. */
export const layerPixelsMax = pixelsMax * 1.01

/**
 * The box that a subject fills in their photo.
 * @param scale that the best picture shows them at; never more than the photo has, and less where the
 *   layer would be too large
 * @param largerBy the area of the picture, in standard ones
 */
export function layerShape(
  { mask, maskScale, photo }: Silhouette,
  headSize: number,
  scale: number,
  largerBy: number,
): LayerShape {
  const box = boxOf(mask)
  const wide = looseHair * headSize + maskScale
  const left = clamp(Math.floor(box.left * maskScale - wide), 0, photo.width - 8)
  const top = clamp(Math.floor(box.top * maskScale - wide), 0, photo.height - 8)
  const width = clamp(Math.ceil(box.right * maskScale + wide), left + 8, photo.width) - left
  const height = clamp(Math.ceil(box.bottom * maskScale + wide), top + 8, photo.height) - top
  const bounded = Math.min(1, scale, Math.sqrt((pixelsMax * largerBy) / (width * height)))
  return {
    place: { left, top, scale: bounded },
    width: Math.ceil(width * bounded),
    height: Math.ceil(height * bounded),
  }
}

function boxOf({ data, width, height }: Silhouette['mask']): {
  left: number
  right: number
  top: number
  bottom: number
} {
  let [left, right, top, bottom] = [width, 0, height, 0]
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * width, (y + 1) * width)
    const first = row.findIndex(isPerson)
    if (first < 0) continue
    left = Math.min(left, first)
    right = Math.max(right, row.findLastIndex(isPerson) + 1)
    top = Math.min(top, y)
    bottom = y + 1
  }
  return { left, right, top, bottom }
}

/** From the photo to a layer. */
export function toLayer({ left, top, scale }: SubjectLayer['place']): Similarity {
  return { a: scale, b: 0, tx: -left * scale, ty: -top * scale }
}

/**
 * Cuts a subject out into their layer, as a picture's person is cut out; the subject must not be used
 * any more.
 * @param frame as large as the layer
 * @param light of which `exposureGain` and `matchSkin`
 */
export async function cutLayer(
  subject: ReadSubject,
  place: SubjectLayer['place'],
  frame: Frame,
  { gain = 1, skin }: Pick<CutLayerRequest, 'gain' | 'skin'> = {},
): Promise<void> {
  const { width, height } = frame.image
  const { image, alpha } = await cutOutPerson(subject, toLayer(place), { width, height })
  if (gain !== 1) brighten(image, gain)
  if (skin) shiftSkin(image, skin)
  fillOutward({ image, alpha })
  frame.image.data.set(image.data)
  frame.alpha.data.set(alpha.data)
  releaseMemory(image.data, alpha.data)
  const { crops, people, person, silhouette } = subject
  const small = [...crops.map((crop) => crop.matte), people, person, silhouette.mask]
  releaseMemory(...small.map(({ data }) => data))
}
