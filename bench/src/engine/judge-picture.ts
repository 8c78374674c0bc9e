import sharp from 'sharp'
import type { HeadMeasure } from '@starside/engine/compositor/faces/measure-head.ts'
import type { LightMeasure } from '@starside/engine/compositor/harmonise/measure-light.ts'
import type { RgbImage } from '@starside/engine/image/raster.ts'
import { applySimilarity, invertSimilarity } from '@starside/engine/image/warp.ts'
import type { Similarity } from '@starside/engine/image/warp.ts'
import { outlineResidueOf } from './outline-residue.ts'
import { cosine } from './identity.ts'
import type { IdentityMeter } from './identity.ts'
import { judgeFaces } from './judge-faces.ts'
import type { FaceGaps, SampledFace } from './judge-faces.ts'
import type { JudgedPair } from './judge-figures.ts'
import type { UsablePhoto } from './judge-people.ts'
import type { StageProbe } from './stage-probe.ts'
import { decodePhoto } from './decode-photo.ts'

/** What is measured of a finished picture. */
export interface PictureReading extends Partial<FaceGaps> {
  /** How much of the removed people's outline shows in the background; 1 is chance. */
  outlineResidue: number | undefined
  /** 1 where whose skin is darker is another one than in the photos; undefined where they don't tell. */
  turnedTones: number | undefined
  /** Cosine of each face to its photo by an independent network; undefined without the meter. */
  userIdentity: number | undefined
  starIdentity: number | undefined
}

/**
 * Measures a finished picture: both faces against each other and, with a meter, against their
 * photos, and the background by itself.
 */
export async function readPicture(
  probe: StageProbe,
  identity: IdentityMeter | undefined,
  pair: JudgedPair,
  picture: RgbImage,
): Promise<PictureReading> {
  const faces = (await probe.ask({ kind: 'faces', image: picture })).faces ?? []
  const user = faceAt(faces, pair.user, pair.layout.user.toPicture, pair.layout.headSize)
  const star = faceAt(faces, pair.star, pair.layout.star.toPicture, pair.layout.headSize)
  const gaps = user && star ? judgeFaces(picture, user, star) : undefined
  return {
    ...gaps,
    turnedTones: gaps && turnedTones(pair.user.reading.light, pair.star.reading.light, gaps),
    outlineResidue: await readOutlineResidue(probe, pair),
    userIdentity: await readIdentity(identity, pair.user, picture, user),
    starIdentity: await readIdentity(identity, pair.star, picture, star),
  }
}

/** Skins nearer than this, in stops, are of one tone. */
const toneStep = 0.5

/**
 * The photos tell whose skin is darker where it is darker as photographed and beside the whites of
 * the eyes, whatever the exposures.
 */
function turnedTones(
  user: LightMeasure,
  star: LightMeasure,
  { brightness }: FaceGaps,
): number | undefined {
  if (user.sclera === undefined || star.sclera === undefined) return undefined
  const seen = Math.log2(user.face / star.face)
  const besideWhites = seen - Math.log2(user.sclera / star.sclera)
  const isKnown = Math.min(Math.abs(seen), Math.abs(besideWhites)) > toneStep
  if (!isKnown || seen * besideWhites < 0) return undefined
  return brightness * seen < 0 ? 1 : 0
}

function faceAt(
  faces: readonly SampledFace[],
  person: UsablePhoto,
  toPicture: Similarity,
  headSize: number,
): SampledFace | undefined {
  const wanted = applySimilarity(toPicture, person.reading.head.centre)
  return faces.find(
    ({ head }) => Math.hypot(head.centre.x - wanted.x, head.centre.y - wanted.y) < headSize * 0.4,
  )
}

async function readOutlineResidue(
  probe: StageProbe,
  pair: JudgedPair,
): Promise<number | undefined> {
  const { user, star, layout, width, height } = pair
  const question = {
    photo: user.photo,
    toPicture: layout.user.toPicture,
    picture: { width, height },
  }
  const { background } = await probe.ask({ kind: 'background', ...question })
  if (!background) return undefined
  const shrink = width / background.people.width
  const people = [
    { person: user, toPhoto: invertSimilarity(layout.user.toPicture) },
    { person: star, toPhoto: invertSimilarity(layout.star.toPicture) },
  ]
  const isCovered = (x: number, y: number): boolean =>
    people.some(({ person, toPhoto }) => {
      const { mask, maskScale } = person.reading.silhouette
      const point = applySimilarity(toPhoto, { x: x * shrink, y: y * shrink })
      const u = Math.floor(point.x / maskScale)
      const v = Math.min(Math.floor(point.y / maskScale), mask.height - 1)
      return u >= 0 && v >= 0 && u < mask.width && mask.data[v * mask.width + u]! > 60
    })
  return outlineResidueOf(background.planes, background.people, layout.headSize / shrink, isCovered)
}

async function readIdentity(
  identity: IdentityMeter | undefined,
  person: UsablePhoto,
  picture: RgbImage,
  face: SampledFace | undefined,
): Promise<number | undefined> {
  if (!identity || !face) return undefined
  const source = await embeddingAt(
    identity,
    await decodePhoto(person.photo, person.isMirrored),
    person.reading.head,
  )
  const result = await embeddingAt(identity, picture, face.head)
  return source && result && cosine(source, result)
}

/** The embedding of a face from a crop about it, as Human misses small faces. */
export async function embeddingAt(
  identity: IdentityMeter,
  image: RgbImage,
  head: HeadMeasure,
): Promise<number[] | undefined> {
  const side = Math.round(head.size * 3)
  const left = Math.max(0, Math.round(head.centre.x - side / 2))
  const top = Math.max(0, Math.round(head.centre.y - side / 2))
  const width = Math.min(side, image.width - left)
  const height = Math.min(side, image.height - top)
  const { data, info } = await sharp(image.data, {
    raw: { width: image.width, height: image.height, channels: 3 },
  })
    .extract({ left, top, width, height })
    .resize(640, 640, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const faces = await identity.faces({ data, width: info.width, height: info.height })
  const x = (head.centre.x - left) / width
  const y = (head.centre.y - top) / height
  const away = (face: { x: number; y: number }): number => Math.hypot(face.x - x, face.y - y)
  return faces.toSorted((one, other) => away(one) - away(other))[0]?.embedding
}
