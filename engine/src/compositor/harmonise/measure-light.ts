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
import type { BytePlane, Point, RgbImage } from '../../image/raster.ts'
import { releaseMemory } from '../../release-memory.ts'
import { linearOfSrgb, lumaOf, luminance, stopsOf } from '../../image/srgb.ts'
import { measureOverhead } from './overhead-light.ts'

/** The light on a face. */
export interface LightMeasure {
  /** log2 of the brightness of the face's right half over its left half. */
  sideRatio: number
  /** How hard the light comes from above, in stops; see `measureOverhead`. */
  overhead: number
  skin: SkinLight
}

/** Linear brightness of the skin of a face, 0…1, and its colour. */
export interface SkinLight {
  median: number
  /**
   * The 95th percentile: gloss and the lit side, which tell how a photo was exposed. It is 0.23 and more in ordinary photos
   * of people of any colour, whose medians go down to 0.035.
   */
  brightest: number
  tint: SkinTint
}

/** Medians over a skin: how far red and blue are from the luma, in 8-bit steps of sRGB. */
export interface SkinTint {
  red: number
  blue: number
}

const facePixels = 200
/** Of a face that lies outside of its photo (linear): neither dark nor bright. */
const unknownLight = 0.2

/** Measures the light on a face, at a size of about 200 pixels. */
export function measureLight(photo: Pyramid, mesh: FaceMesh, head: HeadMeasure): LightMeasure {
  const { image, scale } = levelOf(photo, head)
  const { sideRatio, sclera, skin } = measureFaceLight(image, scale, mesh, head)
  const eyes = { sclera, face: skin.median }
  return { sideRatio, overhead: measureOverhead(image, mesh, scale, eyes), skin }
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

interface FaceLight extends Pick<LightMeasure, 'sideRatio' | 'skin'> {
  /** Linear brightness of the whites of the eyes (85th percentile); undefined where the eyes are hidden. */
  sclera: number | undefined
}

function measureFaceLight(
  image: RgbImage,
  scale: number,
  mesh: FaceMesh,
  head: HeadMeasure,
): FaceLight {
  const outline = (indices: readonly number[]): Point[] =>
    indices.map((index) => {
      const { x, y } = pointOf(mesh, index)
      return { x: x * scale, y: y * scale }
    })
  const regions = createBytePlane(image.width, image.height)
  const outlines = [faceOval, mouthOutline, leftEyeOutline, rightEyeOutline].map(outline)
  for (const [n, region] of [skinRegion, 0, eyeRegion, eyeRegion].entries()) {
    paintPolygon(regions, outlines[n]!, region)
  }
  const face = { image, regions, box: boxAbout(outlines.flat(), image) }
  const whites = lightsOf(face, eyeRegion)
  const measured = {
    sclera: whites.length < 24 ? undefined : whites[Math.floor(whites.length * 0.85)]!,
    ...measureSkin(face, head, scale),
  }
  releaseMemory(regions.data)
  return measured
}

/** The regions of a face, and the pixels that hold them all: `right` and `bottom` are outside. */
interface FaceRegions {
  image: RgbImage
  regions: BytePlane
  box: { left: number; right: number; top: number; bottom: number }
}

function boxAbout(points: readonly Point[], { width, height }: RgbImage): FaceRegions['box'] {
  const xs = points.map(({ x }) => x)
  const ys = points.map(({ y }) => y)
  return {
    left: Math.max(0, Math.floor(Math.min(...xs))),
    right: Math.min(width, Math.ceil(Math.max(...xs)) + 1),
    top: Math.max(0, Math.floor(Math.min(...ys))),
    bottom: Math.min(height, Math.ceil(Math.max(...ys)) + 1),
  }
}

const skinRegion = 1
const eyeRegion = 2

function measureSkin(
  regions: FaceRegions,
  head: HeadMeasure,
  scale: number,
): Pick<FaceLight, 'skin' | 'sideRatio'> {
  const lights = lightsOf(regions, skinRegion)
  const cos = Math.cos(head.roll)
  const sin = Math.sin(head.roll)
  const medianOfSide = (side: 1 | -1): number => {
    const onSide = lightsOf(regions, skinRegion, (column, row) => {
      const x = column / scale - head.centre.x
      const y = row / scale - head.centre.y
      return side * (cos * x + sin * y) > 0
    })
    return onSide[onSide.length >> 1] ?? unknownLight
  }
  return {
    skin: {
      median: lights[(lights.length - 1) >> 1] ?? unknownLight,
      brightest: lights[Math.floor(lights.length * 0.95)] ?? unknownLight,
      tint: tintOf(regions),
    },
    sideRatio: stopsOf(medianOfSide(1)) - stopsOf(medianOfSide(-1)),
  }
}

function tintOf(face: FaceRegions): SkinTint {
  const medianOf = (measure: Measure): number => {
    const values = valuesOf(face, skinRegion, measure)
    return values[values.length >> 1] ?? 0
  }
  return {
    red: medianOf((red, green, blue) => red - lumaOf(red, green, blue)),
    blue: medianOf((red, green, blue) => blue - lumaOf(red, green, blue)),
  }
}

/** The light of a region's pixels, from the darkest to the brightest. */
const lightsOf = (face: FaceRegions, region: number, isWanted?: IsWanted): Float64Array =>
  valuesOf(
    face,
    region,
    (red, green, blue) => luminance(linearOfSrgb[red]!, linearOfSrgb[green]!, linearOfSrgb[blue]!),
    isWanted,
  )

/** What is measured of a pixel, given its levels. */
type Measure = (red: number, green: number, blue: number) => number
type IsWanted = (x: number, y: number) => boolean

/** A measure of each of a region's pixels, the least first. */
function valuesOf(
  { image: { data, width }, regions, box }: FaceRegions,
  region: number,
  measure: Measure,
  isWanted?: IsWanted,
): Float64Array {
  const values: number[] = []
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left, pixel = y * width + x; x < box.right; x++, pixel++) {
      if (regions.data[pixel] !== region || (isWanted && !isWanted(x, y))) continue
      values.push(measure(data[pixel * 3]!, data[pixel * 3 + 1]!, data[pixel * 3 + 2]!))
    }
  }
  return new Float64Array(values).toSorted()
}
