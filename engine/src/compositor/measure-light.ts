import { faceOval, leftEyeOutline, mouthOutline, pointOf, rightEyeOutline } from './face-mesh.ts'
import type { FaceMesh } from './face-mesh.ts'
import type { HeadMeasure } from './measure-head.ts'
import { paintPolygon } from './polygon-mask.ts'
import type { Pyramid } from './pyramid.ts'
import { createBytePlane } from './raster.ts'
import type { RgbImage } from './raster.ts'
import { linearOfSrgb, luminance } from './srgb.ts'

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
}

const facePixels = 200

/** Measures the light on a face, at a size of about 200 pixels. */
export function measureLight(photo: Pyramid, mesh: FaceMesh, head: HeadMeasure): LightMeasure {
  const level = Math.min(
    Math.max(0, Math.round(Math.log2(head.size / facePixels))),
    photo.levels.length - 1,
  )
  const image = photo.levels[level]!
  const scale = image.width / photo.levels[0]!.width
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
  return {
    ...measureEyes(image, regions),
    ...measureSkin(image, regions, head, scale),
    black: measureBlack(image, head, scale),
  }
}

const skin = 1
const eye = 2

function measureEyes(
  image: RgbImage,
  regions: { data: Uint8Array },
): Pick<LightMeasure, 'sclera' | 'scleraColour'> {
  const pixels: { light: number; at: number }[] = []
  for (let i = 0; i < regions.data.length; i++) {
    if (regions.data[i] === eye) pixels.push({ light: lightAt(image, i * 3), at: i * 3 })
  }
  if (pixels.length < 24) return { sclera: undefined, scleraColour: undefined }
  pixels.sort((one, other) => one.light - other.light)
  const sclera = pixels[Math.floor(pixels.length * 0.85)]!.light
  const white = pixels.slice(Math.floor(pixels.length * 0.7), Math.ceil(pixels.length * 0.95))
  return {
    sclera,
    scleraColour: colourOf(
      image,
      white.map((pixel) => pixel.at),
    ),
  }
}

function measureSkin(
  image: RgbImage,
  regions: { data: Uint8Array },
  head: HeadMeasure,
  scale: number,
): Pick<LightMeasure, 'face' | 'skinColour' | 'sideRatio' | 'contrast' | 'saturation'> {
  const cos = Math.cos(head.roll)
  const sin = Math.sin(head.roll)
  const all: { light: number; at: number }[] = []
  const left: number[] = []
  const right: number[] = []
  for (let i = 0; i < regions.data.length; i++) {
    if (regions.data[i] !== skin) continue
    const light = lightAt(image, i * 3)
    all.push({ light, at: i * 3 })
    const x = (i % image.width) / scale - head.centre.x
    const y = Math.floor(i / image.width) / scale - head.centre.y
    const across = cos * x + sin * y
    if (across < -head.faceWidth * 0.1) left.push(light)
    else if (across > head.faceWidth * 0.1) right.push(light)
  }
  all.sort((one, other) => one.light - other.light)
  const at = (part: number): number => all[Math.floor((all.length - 1) * part)]?.light ?? 0.2
  const middle = all.slice(Math.floor(all.length * 0.35), Math.ceil(all.length * 0.65))
  const skinColour = colourOf(
    image,
    middle.map((pixel) => pixel.at),
  )
  return {
    face: at(0.5),
    skinColour,
    sideRatio: Math.log2((median(right) + 0.004) / (median(left) + 0.004)),
    contrast: Math.log2((at(0.9) + 0.004) / (at(0.1) + 0.004)),
    saturation: Math.hypot(skinColour[0] - 1, skinColour[1] - 1, skinColour[2] - 1),
  }
}

function measureBlack(image: RgbImage, head: HeadMeasure, scale: number): number {
  const lights: number[] = []
  const x0 = Math.max(0, Math.floor((head.centre.x - head.size) * scale))
  const x1 = Math.min(image.width, Math.ceil((head.centre.x + head.size) * scale))
  const y0 = Math.max(0, Math.floor((head.centre.y - head.size) * scale))
  const y1 = Math.min(image.height, Math.ceil((head.centre.y + head.size * 1.2) * scale))
  for (let y = y0; y < y1; y += 2) {
    for (let x = x0; x < x1; x += 2) lights.push(lightAt(image, (y * image.width + x) * 3))
  }
  lights.sort((one, other) => one - other)
  return lights[Math.floor(lights.length * 0.01)] ?? 0
}

function lightAt(image: RgbImage, at: number): number {
  const { data } = image
  return luminance(
    linearOfSrgb[data[at]!]!,
    linearOfSrgb[data[at + 1]!]!,
    linearOfSrgb[data[at + 2]!]!,
  )
}

/** Mean linear colour over its brightness. */
function colourOf(image: RgbImage, at: readonly number[]): [number, number, number] {
  let r = 0
  let g = 0
  let b = 0
  for (const i of at) {
    r += linearOfSrgb[image.data[i]!]!
    g += linearOfSrgb[image.data[i + 1]!]!
    b += linearOfSrgb[image.data[i + 2]!]!
  }
  const light = Math.max(luminance(r, g, b), 1e-6)
  return [r / light, g / light, b / light]
}

function median(values: number[]): number {
  if (values.length === 0) return 0.2
  return values.toSorted((one, other) => one - other)[values.length >> 1]!
}
