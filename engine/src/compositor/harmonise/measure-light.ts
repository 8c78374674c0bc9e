import {
  faceOval,
  leftEyeOutline,
  mouthOutline,
  pointOf,
  rightEyeOutline,
} from '../faces/face-mesh.ts'
import type { FaceMesh } from '../faces/face-mesh.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import { paintPolygon } from '../../image/polygon-mask.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import { createBytePlane } from '../../image/raster.ts'
import type { BytePlane, RgbImage } from '../../image/raster.ts'
import { releaseMemory } from '../../release-memory.ts'
import { linearOfSrgb, luminance } from '../../image/srgb.ts'
import { measureOverhead } from './overhead-light.ts'

/** The light on a face. */
export interface LightMeasure {
  /** log2 of the brightness of the face's right half over its left half. */
  sideRatio: number
  /** How hard the light comes from above, in stops; see `measureOverhead`. */
  overhead: number
}

const facePixels = 200

/** Measures the light on a face, at a size of about 200 pixels. */
export function measureLight(photo: Pyramid, mesh: FaceMesh, head: HeadMeasure): LightMeasure {
  const { image, scale } = levelOf(photo, head)
  const { sideRatio, ...eyes } = measureFaceLight(image, scale, mesh, head)
  return { sideRatio, overhead: measureOverhead(image, mesh, scale, eyes) }
}

/** The halving in which the head has about 200 pixels, and its size to the photo's. */
function levelOf(photo: Pyramid, head: HeadMeasure): { image: RgbImage; scale: number } {
  const level = Math.min(
    Math.max(0, Math.round(Math.log2(head.size / facePixels))),
    photo.levels.length - 1,
  )
  const image = photo.levels[level]!
  return { image, scale: image.width / photo.levels[0]!.width }
}

/** Linear, 0…1. */
interface FaceLight {
  /** Brightness of the whites of the eyes (85th percentile); undefined where the eyes are hidden. */
  sclera: number | undefined
  /** Median brightness of the skin. */
  face: number
  sideRatio: number
}

function measureFaceLight(
  image: RgbImage,
  scale: number,
  mesh: FaceMesh,
  head: HeadMeasure,
): FaceLight {
  const outline = (indices: readonly number[]): { x: number; y: number }[] =>
    indices.map((index) => {
      const point = pointOf(mesh, index)
      return { x: point.x * scale, y: point.y * scale }
    })
  const regions = createBytePlane(image.width, image.height)
  paintPolygon(regions, outline(faceOval), skin)
  paintPolygon(regions, outline(mouthOutline), 0)
  paintPolygon(regions, outline(leftEyeOutline), eye)
  paintPolygon(regions, outline(rightEyeOutline), eye)
  const whites = lightsOf(image, regions, eye)
  const measured = {
    sclera: whites.length < 24 ? undefined : whites[Math.floor(whites.length * 0.85)]!,
    ...measureSkin(image, regions, head, scale),
  }
  releaseMemory(regions.data)
  return measured
}

const skin = 1
const eye = 2

function measureSkin(
  image: RgbImage,
  regions: BytePlane,
  head: HeadMeasure,
  scale: number,
): Pick<FaceLight, 'face' | 'sideRatio'> {
  const lights = lightsOf(image, regions, skin)
  const cos = Math.cos(head.roll)
  const sin = Math.sin(head.roll)
  // Left and right of the face's middle, without the tenth next to it.
  const medianOfSide = (side: 1 | -1): number => {
    const onSide = lightsOf(image, regions, skin, (column, row) => {
      const x = column / scale - head.centre.x
      const y = row / scale - head.centre.y
      return side * (cos * x + sin * y) > head.faceWidth * 0.1
    })
    return onSide[onSide.length >> 1] ?? 0.2
  }
  return {
    face: lights[(lights.length - 1) >> 1] ?? 0.2,
    sideRatio: Math.log2((medianOfSide(1) + 0.004) / (medianOfSide(-1) + 0.004)),
  }
}

/** The light of a region's pixels, from the darkest to the brightest. */
function lightsOf(
  { data, width }: RgbImage,
  regions: BytePlane,
  region: number,
  isWanted?: (x: number, y: number) => boolean,
): Float64Array {
  const lights: number[] = []
  for (let pixel = 0; pixel < regions.data.length; pixel++) {
    if (regions.data[pixel] !== region) continue
    if (isWanted && !isWanted(pixel % width, Math.floor(pixel / width))) continue
    const [red, green, blue] = [data[pixel * 3]!, data[pixel * 3 + 1]!, data[pixel * 3 + 2]!]
    lights.push(luminance(linearOfSrgb[red]!, linearOfSrgb[green]!, linearOfSrgb[blue]!))
  }
  return Float64Array.from(lights).toSorted()
}
