import { clamp } from '../../image/raster.ts'
import type { BytePlane, Rect } from '../../image/raster.ts'
import { applySimilarity, similarityScale } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'
import { warpInto, warpPhoto } from '../../image/warp-photo.ts'
import { releaseMemory } from '../../release-memory.ts'
import { mendBorders } from '../borders/mend-borders.ts'
import { stretchBody } from '../borders/stretch-body.ts'
import type { PlacedSubject } from '../layout/layout.ts'
import { clearFrame } from '../shared-frames.ts'
import type { Frame } from '../shared-frames.ts'
import type { SubjectLayer } from './layers.ts'

/** A layer with its place in a picture. */
export interface PlacedLayer extends PlacedSubject {
  layer: Pick<SubjectLayer, 'frame' | 'place' | 'reading'>
  /** Whether the frame's pixels are to be mirrored first, as place and reading are already. */
  flip: boolean
  /** So many of the picture's pixels one of the layer's fills at least, along a side: see `coarsestPixel`. */
  pixelMin: number
}

/**
 * So many of the picture's pixels, along a side, one pixel of the most enlarged layer fills. Nobody is drawn sharper than
 * that: a star of many pixels beside somebody out of a group was believed less.
 */
export function coarsestPixel(
  placed: readonly (Pick<PlacedSubject, 'toPicture'> & Pick<SubjectLayer, 'place'>)[],
): number {
  return Math.max(...placed.map(({ toPicture, place }) => pixelOf(toPicture, place)))
}

const pixelOf = (toPicture: Similarity, { scale }: SubjectLayer['place']): number =>
  similarityScale(toPicture) / scale

/** Who keeps at least this share of their pixels along a side is as sharp as the others, and isn't resized. */
const sameShare = 0.95

/** Draws a layer's person with its borders into `target`, as large as the picture, overwritten. */
export async function placeLayer(placed: PlacedLayer, target: Frame): Promise<void> {
  const { layer, toPicture, stretch, mends } = placed
  const { reading } = layer
  clearFrame(target)
  const part = partOfLayer(layer, toPicture, target.alpha)
  if (!part) return
  const own = placed.flip ? mirrorFrame(layer.frame) : layer.frame
  const ownShare = pixelOf(toPicture, layer.place) / Math.max(1, placed.pixelMin)
  const share = ownShare < sameShare ? ownShare : 1
  const frame = share < 1 ? await shrinkFrame(own, share) : own
  const place = { ...layer.place, scale: layer.place.scale * share }
  const warped = { image: target.image, matte: target.alpha }
  await warpInto(warped, frame.image, frame.alpha, fromLayer(toPicture, place), part)
  if (placed.flip) releaseMemory(own.image.data, own.alpha.data)
  if (frame !== own) releaseMemory(frame.image.data, frame.alpha.data)
  mendBorders(target, reading, toPicture, mends)
  if (stretch) stretchBody(target, stretch)
}

/** From a layer's pixels to the picture. */
function fromLayer(toPicture: Similarity, { left, top, scale }: SubjectLayer['place']): Similarity {
  const corner = applySimilarity(toPicture, { x: left, y: top })
  return { a: toPicture.a / scale, b: toPicture.b / scale, tx: corner.x, ty: corner.y }
}

/** The rectangle of the picture that a layer fills; undefined where it lies outside. */
function partOfLayer(
  { frame, place }: PlacedLayer['layer'],
  toPicture: Similarity,
  { width, height }: BytePlane,
): Rect | undefined {
  const map = fromLayer(toPicture, place)
  const [right, bottom] = [frame.image.width, frame.image.height]
  const corners = [
    { x: 0, y: 0 },
    { x: right, y: 0 },
    { x: 0, y: bottom },
    { x: right, y: bottom },
  ].map((corner) => applySimilarity(map, corner))
  const margin = 2 + similarityScale(map)
  const xs = corners.map((corner) => corner.x)
  const ys = corners.map((corner) => corner.y)
  const x = clamp(Math.floor(Math.min(...xs) - margin), 0, width)
  const y = clamp(Math.floor(Math.min(...ys) - margin), 0, height)
  const part = {
    x,
    y,
    width: clamp(Math.ceil(Math.max(...xs) + margin), 0, width) - x,
    height: clamp(Math.ceil(Math.max(...ys) + margin), 0, height) - y,
  }
  return part.width > 0 && part.height > 0 ? part : undefined
}

/** A copy with this share of the pixels along a side. */
async function shrinkFrame({ image, alpha }: Frame, share: number): Promise<Frame> {
  const size = [Math.ceil(image.width * share), Math.ceil(image.height * share)] as const
  const smaller = await warpPhoto(image, alpha, { a: share, b: 0, tx: 0, ty: 0 }, ...size)
  return { image: smaller.image, alpha: smaller.matte! }
}

/** A mirrored copy. */
function mirrorFrame({ image, alpha }: Frame): Frame {
  const { width, height } = alpha
  const colours = new Uint8Array(image.data.length)
  const alphas = new Uint8Array(alpha.data.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0, from = (y + 1) * width - 1, to = y * width; x < width; x++, from--, to++) {
      alphas[to] = alpha.data[from]!
      colours[to * 3] = image.data[from * 3]!
      colours[to * 3 + 1] = image.data[from * 3 + 1]!
      colours[to * 3 + 2] = image.data[from * 3 + 2]!
    }
  }
  return {
    image: { data: colours, width, height },
    alpha: { data: alphas, width, height },
  }
}
