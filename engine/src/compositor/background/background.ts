import { releaseMemory } from '../../release-memory.ts'
import { gaussianBlur } from '../../image/box-blur.ts'
import type { ColourVectors } from '../../image/colour-vectors.ts'
import { levelFor } from '../../image/pyramid.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import { pullPush } from '../../image/pull-push.ts'
import type { Plane, Rect } from '../../image/raster.ts'
import { sampleColours, sampleRegion } from '../../image/sample-region.ts'
import { scaleRect } from '../../image/warp-stretched.ts'

/** What is to be seen of a background. */
export interface BackgroundView {
  /** The part of the photo that fills the picture; lies inside of the photo. */
  window: Rect
  /** Size of the result. */
  width: number
  height: number
}

/** A background without people, as sharp as it was. */
export interface EmptiedBackground {
  colours: ColourVectors
  /** 1 where the photo shows it, 0 where it was guessed. */
  known: Plane
}

/** Takes everybody (`people`: their matte, 0…1) out of a part of a photo and fills the hole. */
export function removePeople(
  photo: Pyramid,
  people: Plane,
  { window, width, height }: BackgroundView,
): EmptiedBackground {
  const { width: photoWidth, height: photoHeight } = photo.levels[0]!
  const widened = widenMask(people)
  const image = photo.levels[levelFor(photo, window.width / width)]!
  const size = [width, height] as const
  const colours = sampleColours(image, scaleRect(window, image.width / photoWidth), size)
  const [right, down] = [widened.width / photoWidth, widened.height / photoHeight]
  const onMask = {
    x: window.x * right,
    y: window.y * down,
    width: window.width * right,
    height: window.height * down,
  }
  const known = { data: sampleRegion(widened, onMask, size), width, height }
  for (let i = 0; i < known.data.length; i++) known.data[i] = known.data[i]! > 0.04 ? 0 : 1
  pullPush(colours, known)
  releaseMemory(widened.data)
  return { colours, known }
}

/** Widens a mask, so that loose hair and its glow leave the background with the person. */
function widenMask(mask: Plane): Plane {
  return gaussianBlur(mask, Math.max(mask.width, mask.height) / 64)
}

/** The background is enlarged so much more than the user at most, to follow where they stand. */
const zoomMax = 1.8

/**
 * The part of the user's photo that fills the picture, about the user as they stand in it; enlarged
 * where it doesn't reach, so that the place of their head stays behind it, else the nearest.
 */
export function backgroundWindow(
  userInPhoto: { x: number; y: number },
  userInPicture: { x: number; y: number },
  scale: number,
  photo: { width: number; height: number },
  picture: { width: number; height: number },
): Rect {
  const reaching = Math.max(
    userInPicture.y / userInPhoto.y,
    userInPicture.x / userInPhoto.x,
    (picture.width - userInPicture.x) / (photo.width - userInPhoto.x),
  )
  const factor = Math.max(
    scale,
    picture.width / photo.width,
    picture.height / photo.height,
    Math.min(zoomMax * scale, reaching),
  )
  const width = picture.width / factor
  const height = picture.height / factor
  return {
    x: Math.min(Math.max(userInPhoto.x - userInPicture.x / factor, 0), photo.width - width),
    y: Math.min(Math.max(userInPhoto.y - userInPicture.y / factor, 0), photo.height - height),
    width,
    height,
  }
}
