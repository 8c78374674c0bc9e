import { gaussianBlur } from '@starside/engine/image/box-blur.ts'
import type { FoundFace } from '@starside/engine/compositor/faces/find-faces.ts'
import { measureLight } from '@starside/engine/compositor/harmonise/measure-light.ts'
import { buildPyramid } from '@starside/engine/image/pyramid.ts'
import { createPlane } from '@starside/engine/image/raster.ts'
import type { Plane, RgbImage } from '@starside/engine/image/raster.ts'
import { measureSurface } from '@starside/engine/compositor/relight/face-surface.ts'
import { fitLight, gateSkin, lightsOf } from '@starside/engine/compositor/relight/fit-light.ts'
import type { FaceLight } from '@starside/engine/compositor/relight/fit-light.ts'
import { lightAngle, lightGap } from '@starside/engine/compositor/relight/plan-relight.ts'
import type { FaceSamples } from '@starside/engine/compositor/relight/sample-face.ts'

/** A face found in a picture, with the mean colours of its mesh's triangles. */
export type SampledFace = FoundFace & { samples: FaceSamples }

/** How well two faces of one picture go together. */
export interface FaceGaps {
  /** Angle between the directions of both fitted lights, in degrees. */
  lightAngle: number
  /** Difference of both fitted lights over the normals of a face, in stops. */
  lightGap: number
  /** Difference of right over left, in stops; knows nothing of the fit. */
  sideGap: number
  /** Difference of the brightness between the 10th and 90th percentile of both, in stops. */
  contrastGap: number
  /** Median brightness of one's skin over the other's, in stops. */
  brightness: number
  /** How much sharper one is than the other: ratio of both spectra's high to middle part, ≥ 1. */
  sharpnessRatio: number
}

/** Measures two faces of a finished picture against each other. */
export function judgeFaces(picture: RgbImage, one: SampledFace, other: SampledFace): FaceGaps {
  const photo = buildPyramid(picture)
  const [a, b] = [one, other].map((face) => ({
    fitted: fitFace(face).coefficients,
    light: measureLight(photo, face.mesh, face.head),
    sharpness: spectrumOf(picture, face),
  })) as [Reading, Reading]
  return {
    lightAngle: (lightAngle(a.fitted, b.fitted) * 180) / Math.PI,
    lightGap: lightGap(a.fitted, b.fitted),
    sideGap: Math.abs(a.light.sideRatio - b.light.sideRatio),
    contrastGap: Math.abs(a.light.contrast - b.light.contrast),
    brightness: Math.log2(a.light.face / b.light.face),
    sharpnessRatio: Math.max(a.sharpness / b.sharpness, b.sharpness / a.sharpness),
  }
}

interface Reading {
  fitted: FaceLight['coefficients']
  light: ReturnType<typeof measureLight>
  sharpness: number
}

/** The light on a face, by the same fit that the compositor uses. */
export function fitFace({ mesh, samples }: SampledFace): FaceLight {
  const surface = measureSurface(mesh)
  return fitLight(lightsOf(samples), surface, gateSkin(samples, surface))
}

/**
 * Energy of the finest details of a face over that of details some four times as large; both heads
 * of a picture have one size, so the bands are the same for both.
 */
function spectrumOf(picture: RgbImage, { head }: FoundFace): number {
  const half = head.size * 0.45
  const left = Math.max(0, Math.floor(head.centre.x - half))
  const top = Math.max(0, Math.floor(head.centre.y - half))
  const right = Math.min(picture.width, Math.ceil(head.centre.x + half))
  const bottom = Math.min(picture.height, Math.ceil(head.centre.y + half))
  const green = createPlane(right - left, bottom - top)
  for (let y = top, i = 0; y < bottom; y++) {
    for (let x = left; x < right; x++, i++) {
      green.data[i] = picture.data[(y * picture.width + x) * 3 + 1]!
    }
  }
  const blurs = [2, 4, 8].map((sigma) => gaussianBlur(green, sigma))
  return energyOf(green, blurs[0]!) / energyOf(blurs[1]!, blurs[2]!)
}

/** Root of the mean squared difference. */
function energyOf(sharper: Plane, softer: Plane): number {
  let squares = 0
  for (let i = 0; i < sharper.data.length; i++) {
    squares += (sharper.data[i]! - softer.data[i]!) ** 2
  }
  return Math.sqrt(squares / sharper.data.length)
}
