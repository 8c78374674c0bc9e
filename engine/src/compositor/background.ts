import { gaussianBlur } from './box-blur.ts'
import type { Pyramid } from './pyramid.ts'
import { createPlane } from './raster.ts'
import type { Plane, Rect, RgbImage } from './raster.ts'
import { samplePlane } from './sample-plane.ts'

/** Three planes of 0…255. */
export type ColourPlanes = readonly [Plane, Plane, Plane]

/**
 * Fills the holes of a picture from their surroundings: averages of what is known are pulled up a
 * pyramid, then pushed back down where nothing is known.
 * Source: Gortler et al., "The Lumigraph", SIGGRAPH 1996, section 3.4 (pull-push).
 * @param weight 1 where the picture is known, 0 where it is not
 */
export function pullPush(planes: ColourPlanes, weight: Plane): ColourPlanes {
  const { width, height } = weight
  if (width <= 1 && height <= 1) return planes
  const smallWidth = Math.max(1, (width + 1) >> 1)
  const smallHeight = Math.max(1, (height + 1) >> 1)
  const smallWeight = createPlane(smallWidth, smallHeight)
  const small: [Plane, Plane, Plane] = [
    createPlane(smallWidth, smallHeight),
    createPlane(smallWidth, smallHeight),
    createPlane(smallWidth, smallHeight),
  ]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const j = (y >> 1) * smallWidth + (x >> 1)
      const w = weight.data[i]!
      smallWeight.data[j]! += w
      for (let c = 0; c < 3; c++) small[c]!.data[j]! += planes[c]!.data[i]! * w
    }
  }
  for (let j = 0; j < smallWeight.data.length; j++) {
    const w = smallWeight.data[j]!
    if (w > 0) for (let c = 0; c < 3; c++) small[c]!.data[j]! /= w
    smallWeight.data[j] = Math.min(1, w)
  }
  const coarse = pullPush(small, smallWeight)
  const filled = planes.map(() => createPlane(width, height)) as [Plane, Plane, Plane]
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const w = weight.data[i]!
      for (let c = 0; c < 3; c++) {
        const own = planes[c]!.data[i]! * w
        filled[c]!.data[i] =
          w >= 1 ? own : own + samplePlane(coarse[c]!, (x + 0.5) / 2, (y + 0.5) / 2) * (1 - w)
      }
    }
  }
  return filled
}

/**
 * The background of the user's photo without people, at a small size.
 * @param window the part of the photo that fills the picture; lies inside of the photo
 * @param people matte of all people in the whole photo, 0…1
 * @param sigma blur in pixels of the result
 */
export function cleanBackground(
  photo: Pyramid,
  people: Plane,
  window: Rect,
  width: number,
  height: number,
  sigma: number,
): ColourPlanes {
  const { width: photoWidth, height: photoHeight } = photo.levels[0]!
  const planes: [Plane, Plane, Plane] = [
    createPlane(width, height),
    createPlane(width, height),
    createPlane(width, height),
  ]
  const weight = createPlane(width, height)
  const spread = spreadMask(people)
  const level = nearestLevel(photo, window.width / width)
  const image = photo.levels[level]!
  const shrink = image.width / photoWidth
  for (let y = 0, i = 0; y < height; y++) {
    const py = window.y + ((y + 0.5) / height) * window.height
    for (let x = 0; x < width; x++, i++) {
      const px = window.x + ((x + 0.5) / width) * window.width
      sampleRgb(image, px * shrink, py * shrink, planes, i)
      const person = samplePlane(
        spread,
        (px / photoWidth) * spread.width,
        (py / photoHeight) * spread.height,
      )
      weight.data[i] = person > 0.04 ? 0 : 1
    }
  }
  const filled = pullPush(planes, weight)
  return [
    gaussianBlur(filled[0], sigma),
    gaussianBlur(filled[1], sigma),
    gaussianBlur(filled[2], sigma),
  ]
}

/** Widens a mask a little, so that hair and its glow leave the background with the person. */
function spreadMask(mask: Plane): Plane {
  return gaussianBlur(mask, Math.max(mask.width, mask.height) / 90)
}

function nearestLevel(photo: Pyramid, perPixel: number): number {
  return Math.min(
    Math.max(0, Math.floor(Math.log2(Math.max(perPixel, 1)) + 0.25)),
    photo.levels.length - 1,
  )
}

function sampleRgb(
  image: RgbImage,
  x: number,
  y: number,
  planes: readonly [Plane, Plane, Plane],
  i: number,
): void {
  const sx = Math.min(Math.max(x - 0.5, 0), image.width - 1)
  const sy = Math.min(Math.max(y - 0.5, 0), image.height - 1)
  const x0 = Math.floor(sx)
  const y0 = Math.floor(sy)
  const x1 = Math.min(x0 + 1, image.width - 1)
  const y1 = Math.min(y0 + 1, image.height - 1)
  const fx = sx - x0
  const fy = sy - y0
  for (let c = 0; c < 3; c++) {
    const top =
      image.data[(y0 * image.width + x0) * 3 + c]! * (1 - fx) +
      image.data[(y0 * image.width + x1) * 3 + c]! * fx
    const bottom =
      image.data[(y1 * image.width + x0) * 3 + c]! * (1 - fx) +
      image.data[(y1 * image.width + x1) * 3 + c]! * fx
    planes[c]!.data[i] = top * (1 - fy) + bottom * fy
  }
}

/**
 * The part of the user's photo that fills the picture: as the user stands in it where the photo
 * reaches that far, else the nearest larger one.
 */
export function backgroundWindow(
  userInPhoto: { x: number; y: number },
  userInPicture: { x: number; y: number },
  scale: number,
  photo: { width: number; height: number },
  picture: { width: number; height: number },
): Rect {
  const factor = Math.max(scale, picture.width / photo.width, picture.height / photo.height)
  const width = picture.width / factor
  const height = picture.height / factor
  return {
    x: Math.min(Math.max(userInPhoto.x - userInPicture.x / factor, 0), photo.width - width),
    y: Math.min(Math.max(userInPhoto.y - userInPicture.y / factor, 0), photo.height - height),
    width,
    height,
  }
}
