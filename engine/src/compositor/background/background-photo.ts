import type { NormalisedPhoto } from '../../image-provider.ts'
import type { ColourPlanes } from '../../image/colour-planes.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import { createPlane } from '../../image/raster.ts'
import type { Plane, Rect } from '../../image/raster.ts'
import { linearOfSrgb } from '../../image/srgb.ts'
import { affineOf } from '../../image/warp.ts'
import { joinCrops } from '../matting/join-crops.ts'
import { segmentPerson, segmentRegion } from '../matting/segment-person.ts'
import { readPhoto } from '../read-subject.ts'
import type { Networks } from '../read-subject.ts'
import { cleanBackground } from './background.ts'
import type { DrawnBackground } from './draw-scene.ts'
import { findHorizon } from './find-horizon.ts'
import { gainOfPlace, lightOfPhoto } from './place-light.ts'
import type { PlaceLight } from './place-light.ts'

/** A photo of a place, as a thread keeps it. */
export interface BackgroundPhoto {
  photo: Pyramid
  /** Small matte of everybody in the photo, 0…1. */
  people: Plane
  light: PlaceLight
}

/** What is known of a photo of a place, for the layout's side. */
export interface BackgroundReading {
  width: number
  height: number
  /** Of the photo's height from the top. */
  horizon: number
  /** For each of `holeColumns` columns how much of it people covered, 0…1. */
  holes: readonly number[]
}

const holeColumns = 24
/** The long side of the small matte. */
const smallSide = 320
/** People whose outlines are looked for closely; those of others are seen in the whole photo. */
const closePeopleMax = 4
/** Faces up to this size (of the photo's height) are far enough away to tell the horizon. */
const farFaceMax = 0.12
/** Without a face only this much of certainty makes a person, and not a statue or a coat. */
const facelessMin = 0.9

/** Reads a photo of a place: its people, horizon and light. A face isn't needed. */
export async function readBackgroundPhoto(
  networks: Networks,
  normalised: NormalisedPhoto,
): Promise<{ background: BackgroundPhoto; reading: BackgroundReading }> {
  const { photo, faces } = await readPhoto(networks, normalised)
  const image = photo.levels[0]!
  const heads = faces.map(({ head }) => head)
  const largest = heads.toSorted((one, other) => other.size - one.size).slice(0, closePeopleMax)
  const people = await findPeople(networks, photo, largest)
  const eyes = heads
    .filter(({ size }) => size < farFaceMax * image.height)
    .map((head) => ({ x: head.eyes.x / image.width, y: head.eyes.y / image.height }))
  const small = photo.levels.at(-1)!
  return {
    background: { photo, people, light: lightOfPhoto(small, people) },
    reading: {
      width: image.width,
      height: image.height,
      horizon: findHorizon(small, eyes),
      holes: holesOf(people),
    },
  }
}

async function findPeople(
  networks: Networks,
  photo: Pyramid,
  heads: Parameters<typeof segmentPerson>[2],
): Promise<Plane> {
  const image = photo.levels[0]!
  const shrink = Math.min(1, smallSide / Math.max(image.width, image.height))
  const width = Math.max(1, Math.round(image.width * shrink))
  const height = Math.max(1, Math.floor((image.height * width) / image.width))
  const toPhoto = affineOf({ a: image.width / width, b: 0, tx: 0, ty: 0 })
  const network = networks.personSegmenter
  if (heads.length > 0) {
    const crops = await segmentPerson(network, photo, heads)
    return joinCrops(crops, image, toPhoto, width, height)
  }
  const region = { x: 0, y: 0, width: image.width, height: image.height }
  const { matte } = await segmentRegion(network, photo, region)
  const people = joinCrops([{ region, matte }], image, toPhoto, width, height)
  for (let i = 0; i < people.data.length; i++) {
    if (people.data[i]! < facelessMin) people.data[i] = 0
  }
  return people
}

function holesOf({ data, width, height }: Plane): number[] {
  const sums = Array.from({ length: holeColumns }, () => 0)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      sums[Math.floor((x * holeColumns) / width)]! += data[i]! > 0.3 ? 1 : 0
    }
  }
  return sums.map((sum) => sum / ((height * width) / holeColumns))
}

/**
 * Draws what is seen of a photo of a place, with nobody in it and out of focus.
 * @param view.window the part that fills the picture
 * @param view.sigma blur in pixels of the result
 */
export function drawBackgroundPhoto(
  { photo, people, light }: BackgroundPhoto,
  view: { window: Rect; sigma: number; width: number; height: number },
): DrawnBackground {
  const planes = cleanBackground(photo, people, view)
  return { planes, gain: gainOfPlace(light, toRadiance(planes)) }
}

function toRadiance([red, green, blue]: ColourPlanes): ColourPlanes {
  const linear = ({ data, width, height }: Plane): Plane => {
    const result = createPlane(width, height)
    for (let i = 0; i < data.length; i++) {
      result.data[i] = linearOfSrgb[Math.min(255, Math.max(0, Math.round(data[i]!)))]!
    }
    return result
  }
  return [linear(red), linear(green), linear(blue)]
}
