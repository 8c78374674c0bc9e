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
  /** Mean colour of the whites of the eyes over their brightness: the light's own colour. */
  scleraColour: readonly [number, number, number] | undefined
  /** Median brightness of the skin. */
  face: number
  /** Median colour of the skin over its brightness. */
  skinColour: readonly [number, number, number]
  /** log2 of the brightness of the face's right half over its left half. */
  sideRatio: number
  /** Spread of log2 brightness over the face: 90th minus 10th percentile. */
  contrast: number
  /** Distance of the skin's colour from grey. */
  saturation: number
  /** The darkest brightness about the head: 1st percentile. */
  black: number
  /** Brightness at both sides of the head, where mostly its background is: 75th percentile. */
  behind: number
  /** How hard the light comes from above, in stops; see `measureOverhead`. Of the photo, however the light is moved. */
  overhead: number
}

const facePixels = 200

/** What is measured of the face alone. */
export type FaceLightMeasure = Omit<LightMeasure, 'black' | 'behind' | 'overhead'>

/** Measures the light on a face and about it, at a size of about 200 pixels. */
export function measureLight(photo: Pyramid, mesh: FaceMesh, head: HeadMeasure): LightMeasure {
  const { image, scale } = levelOf(photo, head)
  const face = measureFaceLight(photo, mesh, head)
  const overhead = measureOverhead(image, mesh, scale, face)
  return { ...face, ...measureAround(image, head, scale), overhead }
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

/** Measures the light on a face, without what surrounds it. */
export function measureFaceLight(
  photo: Pyramid,
  mesh: FaceMesh,
  head: HeadMeasure,
): FaceLightMeasure {
  const { image, scale } = levelOf(photo, head)
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
    ...measureEyes(image, regions),
    ...measureSkin(image, regions, head, scale),
  }
  releaseMemory(regions.data)
  return measured
}

const skin = 1
const eye = 2

function measureEyes(
  image: RgbImage,
  regions: BytePlane,
): Pick<LightMeasure, 'sclera' | 'scleraColour'> {
  const pixels = pixelsByLight(image, regions, eye)
  const { length } = pixels
  if (length < 24) return { sclera: undefined, scleraColour: undefined }
  return {
    sclera: lightAt(image, pixels[Math.floor(length * 0.85)]!),
    scleraColour: colourOf(
      image,
      pixels.subarray(Math.floor(length * 0.7), Math.ceil(length * 0.95)),
    ),
  }
}

function measureSkin(
  image: RgbImage,
  regions: BytePlane,
  head: HeadMeasure,
  scale: number,
): Pick<LightMeasure, 'face' | 'skinColour' | 'sideRatio' | 'contrast' | 'saturation'> {
  const pixels = pixelsByLight(image, regions, skin)
  const { length } = pixels
  const at = (part: number): number =>
    length === 0 ? 0.2 : lightAt(image, pixels[Math.floor((length - 1) * part)]!)
  const skinColour = colourOf(
    image,
    pixels.subarray(Math.floor(length * 0.35), Math.ceil(length * 0.65)),
  )
  const { left, right } = medianOfSides(image, pixels, head, scale)
  return {
    face: at(0.5),
    skinColour,
    sideRatio: Math.log2((right + 0.004) / (left + 0.004)),
    contrast: Math.log2((at(0.9) + 0.004) / (at(0.1) + 0.004)),
    saturation: Math.hypot(skinColour[0] - 1, skinColour[1] - 1, skinColour[2] - 1),
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

function measureAround(
  image: RgbImage,
  head: HeadMeasure,
  scale: number,
): Pick<LightMeasure, 'black' | 'behind'> {
  const x0 = Math.max(0, Math.floor((head.centre.x - head.size) * scale))
  const x1 = Math.min(image.width, Math.ceil((head.centre.x + head.size) * scale))
  const y0 = Math.max(0, Math.floor((head.centre.y - head.size) * scale))
  const y1 = Math.min(image.height, Math.ceil((head.centre.y + head.size * 1.2) * scale))
  const across = Math.max(0, Math.ceil((x1 - x0) / 2))
  const lights = new Float64Array(across * Math.max(0, Math.ceil((y1 - y0) / 2)))
  const beside = new Float64Array(lights.length)
  let besideCount = 0
  for (let y = y0, i = 0; y < y1; y += 2) {
    const isAboveChin = y < head.chin.y * scale
    for (let x = x0; x < x1; x += 2, i++) {
      lights[i] = lightAt(image, y * image.width + x)
      const isBeside = Math.abs(x / scale - head.centre.x) > 0.7 * head.size
      if (isBeside && isAboveChin) beside[besideCount++] = lights[i]!
    }
  }
  lights.sort()
  const sides = beside.subarray(0, besideCount).toSorted()
  return {
    black: lights[Math.floor(lights.length * 0.01)] ?? 0,
    behind: sides[Math.floor(besideCount * 0.75)] ?? 0.2,
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

/** Mean linear colour over its brightness. */
function colourOf({ data }: RgbImage, pixels: Uint32Array): [number, number, number] {
  let r = 0
  let g = 0
  let b = 0
  for (const pixel of pixels) {
    r += linearOfSrgb[data[pixel * 3]!]!
    g += linearOfSrgb[data[pixel * 3 + 1]!]!
    b += linearOfSrgb[data[pixel * 3 + 2]!]!
  }
  const light = Math.max(luminance(r, g, b), 1e-6)
  return [r / light, g / light, b / light]
}
