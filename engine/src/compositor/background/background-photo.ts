import type { NormalisedPhoto } from '../../image-provider.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import type { Plane } from '../../image/raster.ts'
import { affineOf } from '../../image/warp.ts'
import { joinCrops } from '../matting/join-crops.ts'
import { segmentPerson, segmentRegion } from '../matting/segment-person.ts'
import { readPhoto } from '../read-subject.ts'
import type { Networks } from '../read-subject.ts'
import { cleanBackground } from './background.ts'
import type { DrawnBackground } from './draw-scene.ts'
import { gainOfPlace, lightOfPhoto } from './place-light.ts'
import type { PlaceLight } from './place-light.ts'

/** A photo of a place, as a thread keeps it. */
export interface BackgroundPhoto {
  photo: Pyramid
  /** Small matte of everybody in the photo, 0…1. */
  people: Plane
  light: PlaceLight
}

/** The long side of the small matte. */
const smallSide = 320
/** People whose outlines are looked for closely; those of others are seen in the whole photo. */
const closePeopleMax = 4
/** Without a face only this much of certainty makes a person, and not a statue or a coat. */
const facelessMin = 0.9

/** Reads a photo of a place: its people and its light. A face isn't needed. */
export async function readBackgroundPhoto(
  networks: Networks,
  normalised: NormalisedPhoto,
): Promise<BackgroundPhoto> {
  const { photo, faces } = await readPhoto(networks, normalised)
  const heads = faces.map(({ head }) => head)
  const largest = heads.toSorted((one, other) => other.size - one.size).slice(0, closePeopleMax)
  const people = await findPeople(networks, photo, largest)
  return { photo, people, light: lightOfPhoto(photo.levels.at(-1)!, people) }
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

/**
 * Draws the middle of a photo of a place, with nobody in it and out of focus.
 * @param view.sigma blur in pixels of the result
 */
export function drawBackgroundPhoto(
  { photo, people, light }: BackgroundPhoto,
  view: { sigma: number; width: number; height: number },
): DrawnBackground {
  const { width, height } = photo.levels[0]!
  const scale = Math.min(width / view.width, height / view.height)
  const seen = { width: view.width * scale, height: view.height * scale }
  const window = { x: (width - seen.width) / 2, y: (height - seen.height) / 2, ...seen }
  const planes = cleanBackground(photo, people, { ...view, window })
  return { planes, gain: gainOfPlace(light, planes) }
}
