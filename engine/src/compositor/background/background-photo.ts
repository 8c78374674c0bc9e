import type { NormalisedPhoto } from '../../image-provider.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import type { Plane } from '../../image/raster.ts'
import { affineOf } from '../../image/warp.ts'
import { joinCrops } from '../matting/join-crops.ts'
import { largestOf, segmentPerson, segmentRegion } from '../matting/segment-person.ts'
import { readPhoto, smallSideMin } from '../read-subject.ts'
import type { Networks } from '../read-subject.ts'
import { releaseMemory } from '../../release-memory.ts'
import { emptyPlace } from '../layers/empty-background.ts'
import type { EmptyBackground } from '../layers/empty-background.ts'
import { gainOfPlace, lightOfPhoto } from './place-light.ts'

/** Without a face only this much of certainty makes a person, and not a statue or a coat. */
const facelessMin = 0.9

/** Takes everybody out of a photo of a place, and measures its light. A face isn't needed. */
export async function readBackgroundPhoto(
  networks: Networks,
  normalised: NormalisedPhoto,
): Promise<EmptyBackground> {
  const { photo, faces } = await readPhoto(networks, normalised)
  const people = await findPeople(networks, photo, largestOf(faces.map(({ head }) => head)))
  const light = lightOfPhoto(photo.levels.at(-1)!, people)
  const emptied = emptyPlace(photo, people, (planes) => gainOfPlace(light, planes))
  releaseMemory(...photo.levels.map(({ data }) => data), people.data)
  return emptied
}

async function findPeople(
  networks: Networks,
  photo: Pyramid,
  heads: Parameters<typeof segmentPerson>[2],
): Promise<Plane> {
  const image = photo.levels[0]!
  const shrink = Math.min(1, smallSideMin / Math.max(image.width, image.height))
  const width = Math.max(1, Math.round(image.width * shrink))
  const height = Math.max(1, Math.floor((image.height * width) / image.width))
  const toPhoto = affineOf({ a: image.width / width, b: 0, tx: 0, ty: 0 })
  const network = networks.personSegmenter
  if (heads.length > 0) {
    const crops = await segmentPerson(network, photo, heads)
    return joinCrops(crops, image, toPhoto, width, height)
  }
  const region = { x: 0, y: 0, width: image.width, height: image.height }
  const matte = await segmentRegion(network, photo, region)
  const people = joinCrops([{ region, matte }], image, toPhoto, width, height)
  for (let i = 0; i < people.data.length; i++) {
    if (people.data[i]! < facelessMin) people.data[i] = 0
  }
  return people
}
