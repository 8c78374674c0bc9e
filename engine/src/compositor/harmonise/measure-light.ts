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

/** The light on a face. All in linear light, 0…1. */
export interface LightMeasure {
  /** Brightness of the whites of the eyes (85th percentile); undefined where the eyes are hidden. */
  sclera: number | undefined
  /** Median brightness of the skin. */
  face: number
  /** log2 of the brightness of the face's right half over its left half. */
  sideRatio: number
  /** How hard the light comes from above, in stops; see `measureOverhead`. */
  overhead: number
}

const facePixels = 200

/** Measures the light on a face, at a size of about 200 pixels. */
export function measureLight(photo: Pyramid, mesh: FaceMesh, head: HeadMeasure): LightMeasure {
  const { image, scale } = levelOf(photo, head)
  const face = measureFaceLight(image, scale, mesh, head)
  return { ...face, overhead: measureOverhead(image, mesh, scale, face) }
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

function measureFaceLight(
  image: RgbImage,
  scale: number,
  mesh: FaceMesh,
  head: HeadMeasure,
): Omit<LightMeasure, 'overhead'> {
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
  const measured = {
    sclera: measureWhites(image, regions),
    ...measureSkin(image, regions, head, scale),
  }
  releaseMemory(regions.data)
  return measured
}

const skin = 1
const eye = 2

function measureWhites(image: RgbImage, regions: BytePlane): number | undefined {
  const pixels = pixelsByLight(image, regions, eye)
  return pixels.length < 24 ? undefined : lightAt(image, pixels[Math.floor(pixels.length * 0.85)]!)
}

function measureSkin(
  image: RgbImage,
  regions: BytePlane,
  head: HeadMeasure,
  scale: number,
): Pick<LightMeasure, 'face' | 'sideRatio'> {
  const pixels = pixelsByLight(image, regions, skin)
  const { length } = pixels
  const { left, right } = medianOfSides(image, pixels, head, scale)
  return {
    face: length === 0 ? 0.2 : lightAt(image, pixels[(length - 1) >> 1]!),
    sideRatio: Math.log2((right + 0.004) / (left + 0.004)),
  }
}

/** Median brightness left and right of the face's middle, without the tenth next to it. */
function medianOfSides(
  image: RgbImage,
  pixels: Uint32Array,
  head: HeadMeasure,
  scale: number,
): { left: number; right: number } {
  const cos = Math.cos(head.roll)
  const sin = Math.sin(head.roll)
  const left = new Float64Array(pixels.length)
  const right = new Float64Array(pixels.length)
  let leftCount = 0
  let rightCount = 0
  for (const pixel of pixels) {
    const x = (pixel % image.width) / scale - head.centre.x
    const y = Math.floor(pixel / image.width) / scale - head.centre.y
    const across = cos * x + sin * y
    if (across < -head.faceWidth * 0.1) left[leftCount++] = lightAt(image, pixel)
    else if (across > head.faceWidth * 0.1) right[rightCount++] = lightAt(image, pixel)
  }
  // They come sorted, as the pixels are.
  return {
    left: leftCount === 0 ? 0.2 : left[leftCount >> 1]!,
    right: rightCount === 0 ? 0.2 : right[rightCount >> 1]!,
  }
}

/** Light is sorted in so many steps, by so many bits at a time. */
const lightSteps = 2 ** 30
const digitBits = 11

/**
 * The pixels of a region from the darkest to the brightest, those of the same light in their order.
 * They are sorted digit by digit, the last one first, which takes far less than comparing them.
 */
function pixelsByLight(image: RgbImage, regions: BytePlane, region: number): Uint32Array {
  let count = 0
  for (let pixel = 0; pixel < regions.data.length; pixel++) {
    if (regions.data[pixel] === region) count++
  }
  let pixels = new Uint32Array(count)
  let lights = new Uint32Array(count)
  for (let pixel = 0, i = 0; i < count; pixel++) {
    if (regions.data[pixel] !== region) continue
    pixels[i] = pixel
    lights[i++] = lightAt(image, pixel) * lightSteps
  }
  let sortedPixels = new Uint32Array(count)
  let sortedLights = new Uint32Array(count)
  for (let shift = 0; shift < 32; shift += digitBits) {
    const places = placesOfDigits(lights, shift)
    for (let i = 0; i < count; i++) {
      const place = places[(lights[i]! >>> shift) & digitMask]!++
      sortedPixels[place] = pixels[i]!
      sortedLights[place] = lights[i]!
    }
    ;[pixels, sortedPixels] = [sortedPixels, pixels]
    ;[lights, sortedLights] = [sortedLights, lights]
  }
  releaseMemory(lights, sortedLights, sortedPixels)
  return pixels
}

const digitMask = (1 << digitBits) - 1

/** Where the first number with each digit comes. */
function placesOfDigits(numbers: Uint32Array, shift: number): Uint32Array {
  const places = new Uint32Array(digitMask + 1)
  for (const number of numbers) places[(number >>> shift) & digitMask]!++
  for (let digit = 0, before = 0; digit <= digitMask; digit++) {
    const here = places[digit]!
    places[digit] = before
    before += here
  }
  return places
}

function lightAt({ data }: RgbImage, pixel: number): number {
  const at = pixel * 3
  return luminance(
    linearOfSrgb[data[at]!]!,
    linearOfSrgb[data[at + 1]!]!,
    linearOfSrgb[data[at + 2]!]!,
  )
}
