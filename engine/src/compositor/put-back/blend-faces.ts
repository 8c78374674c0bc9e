import { gaussianBlur } from '../../image/box-blur.ts'
import { clamp, createPlane, smoothstep } from '../../image/raster.ts'
import type { Plane, Rect, RgbImage } from '../../image/raster.ts'
import { drawMesh } from './draw-mesh.ts'
import type { DrawnFace } from './draw-mesh.ts'
import type { FacePair } from './match-faces.ts'
import { placeMesh } from './place-mesh.ts'

/** What is taken over as light: everything coarser than this, in head sizes. */
const lightSigma = 0.16
/** How far light may change a colour. */
const gainMax = 2
/** Added to both sides of a ratio, of 255, so that dark pixels don't flicker. */
const floor = 12
/** The depths between which the other's face turns into ours. */
const seam = { from: 0.04, to: 0.55 }

/**
 * Puts the composite's faces into the places that they have in a picture made of it, in that picture's
 * light: fine detail is ours, what is coarse is the picture's. Changes the picture in place.
 * @param composite the photo that the pairs' `from` were found in
 */
export function blendFaces(
  picture: RgbImage,
  composite: RgbImage,
  pairs: readonly FacePair[],
): void {
  for (const pair of pairs) {
    const window = windowOf(pair, picture)
    const drawn = drawMesh(composite, pair.from.mesh, placeMesh(pair), window)
    const sigma = lightSigma * pair.to.head.size
    const weight = maskOf(drawn)
    const weightBlurred = gaussianBlur(weight, sigma)
    for (let channel = 0; channel < 3; channel++) {
      const theirs = channelOf(picture, channel, window)
      const ours = drawn.planes[channel]!
      const blur = (plane: Plane) => gaussianBlur(times(plane, weight), sigma)
      const light = { theirs: blur(theirs), ours: blur(ours), weight: weightBlurred }
      blendChannel(picture, channel, { drawn, ours, light })
    }
  }
}

interface Light {
  theirs: Plane
  ours: Plane
  weight: Plane
}

function blendChannel(
  picture: RgbImage,
  channel: number,
  { drawn, ours, light }: { drawn: DrawnFace; ours: Plane; light: Light },
): void {
  const { window, depth } = drawn
  for (let row = 0, i = 0; row < window.height; row++) {
    let at = ((window.y + row) * picture.width + window.x) * 3 + channel
    for (let column = 0; column < window.width; column++, i++, at += 3) {
      const alpha = smoothstep(seam.from, seam.to, depth.data[i]!)
      if (alpha === 0) continue
      const weight = Math.max(light.weight.data[i]!, 1e-4)
      const wanted = light.theirs.data[i]! / weight + floor
      const had = light.ours.data[i]! / weight + floor
      const gain = clamp(wanted / had, 1 / gainMax, gainMax)
      const lit = ours.data[i]! * gain
      const old = picture.data[at]!
      picture.data[at] = clamp(Math.round(old + (lit - old) * alpha), 0, 255)
    }
  }
}

/** The rectangle of the picture that a face can reach. */
function windowOf({ to }: FacePair, picture: RgbImage): Rect {
  const { centre, size } = to.head
  const reach = size
  const x = clamp(Math.floor(centre.x - reach), 0, picture.width - 1)
  const y = clamp(Math.floor(centre.y - reach), 0, picture.height - 1)
  const right = clamp(Math.ceil(centre.x + reach), x + 1, picture.width)
  const bottom = clamp(Math.ceil(centre.y + reach), y + 1, picture.height)
  return { x, y, width: right - x, height: bottom - y }
}

function maskOf({ depth }: DrawnFace): Plane {
  const mask = createPlane(depth.width, depth.height)
  for (let i = 0; i < mask.data.length; i++) mask.data[i] = depth.data[i]! >= 0 ? 1 : 0
  return mask
}

function channelOf(picture: RgbImage, channel: number, window: Rect): Plane {
  const plane = createPlane(window.width, window.height)
  for (let row = 0, i = 0; row < window.height; row++) {
    let at = ((window.y + row) * picture.width + window.x) * 3 + channel
    for (let column = 0; column < window.width; column++, i++, at += 3) {
      plane.data[i] = picture.data[at]!
    }
  }
  return plane
}

function times(plane: Plane, weight: Plane): Plane {
  const result = createPlane(plane.width, plane.height)
  for (let i = 0; i < result.data.length; i++) result.data[i] = plane.data[i]! * weight.data[i]!
  return result
}
