import type { ColourVectors } from '../../image/colour-vectors.ts'
import { mapTriple } from '../../image/map-triple.ts'
import { clamp } from '../../image/raster.ts'
import type { Plane, RgbImage } from '../../image/raster.ts'
import { samplePlane } from '../../image/sample-plane.ts'
import { linearOfSrgb, luminance, stopsOf } from '../../image/srgb.ts'
import type { Gain } from '../blend/blend.ts'

/** What a place does to the people in it. */
export interface PlaceLight {
  /** Change of everybody's exposure, in stops. */
  stops: number
  /** How much of the place's own mean colour the light has, 0…1. */
  cast: number
}

/** No channel's light gets further from grey than by this factor. */
const tintMax = 1.3

/** Factors on linear RGB in a place: its exposure, a part of its colour. */
export function gainOfPlace({ stops, cast }: PlaceLight, colours: ColourVectors): Gain {
  const means = mapTriple([0, 1, 2], (channel) => meanLight(colours, channel) + 1e-3)
  const light = luminance(...means)
  const raw = mapTriple(means, (mean) => clamp((mean / light) ** cast, 1 / tintMax, tintMax))
  const exposure = 2 ** stops / luminance(...raw)
  return mapTriple(raw, (tint) => tint * exposure)
}

function meanLight({ data }: ColourVectors, channel: number): number {
  let sum = 0
  for (let i = channel; i < data.length; i += 4) {
    sum += linearOfSrgb[clamp(Math.round(data[i]!), 0, 255)]!
  }
  return sum / (data.length / 4)
}

/** The brightness that photos of places in daylight have, the mean of their stops as linear light. */
const usualBrightness = 0.17
/** How much of a place's darkness falls on the people; photos of dark places are taken brighter. */
const stopsShare = 0.42
const stopsRange = [-0.65, 0.12] as const
const photoCast = 0.16

/** Estimates a place's light from its photo without its people (matte, 0…1). */
export function lightOfPhoto({ width, height, data }: RgbImage, people: Plane): PlaceLight {
  let count = 0
  let stops = 0
  const toPeople = { x: people.width / width, y: people.height / height }
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      if (samplePlane(people, (x + 0.5) * toPeople.x, (y + 0.5) * toPeople.y) > 0.2) continue
      const i = (y * width + x) * 3
      const light = luminance(
        linearOfSrgb[data[i]!]!,
        linearOfSrgb[data[i + 1]!]!,
        linearOfSrgb[data[i + 2]!]!,
      )
      stops += stopsOf(light)
      count += 1
    }
  }
  const brightness = 2 ** (stops / Math.max(1, count))
  const exposure = stopsShare * Math.log2(brightness / usualBrightness)
  return { stops: clamp(exposure, ...stopsRange), cast: photoCast }
}
