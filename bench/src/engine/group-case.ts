import { readFile } from 'node:fs/promises'
import { parse } from 'node:path'
import sharp from 'sharp'
import { estimateForeground } from '@starside/engine/compositor/matting/foreground-colour.ts'
import { createBytePlane, createRgb } from '@starside/engine/image/raster.ts'
import type { BytePlane, Point, RgbImage } from '@starside/engine/image/raster.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { normalisePhoto } from '@starside/engine/photo/normalise.ts'
import { applySimilarity, similarity } from '@starside/engine/image/warp.ts'
import type { Similarity } from '@starside/engine/image/warp.ts'
import { warpPhoto } from '@starside/engine/image/warp-photo.ts'
import { decodePhoto } from './decode-photo.ts'
import { placeInGroup } from './group-places.ts'
import type { StageProbe, PersonReading } from './stage-probe.ts'

/** People set side by side into one photo, so that it is known whose each pixel is. */
export interface GroupCase {
  name: string
  photo: NormalisedPhoto
  /** Middle of the chosen person's face in the photo. */
  face: Point
  /** What is seen of the chosen person, and of all others. */
  own: BytePlane
  others: BytePlane
}

/** One portrait, cut out. */
export interface CutOutPortrait {
  name: string
  photo: NormalisedPhoto
  image: RgbImage
  alpha: BytePlane
  reading: PersonReading
}

/** Longer cuts by a photo's sides (head sizes) would end in the middle of the group. */
const sideCutMax = 0.3
/** A face is covered by the others by at most this part. */
const coverMax = 0.04

/** Cuts one portrait out; undefined where it can't stand in a group. */
export async function cutOutPortrait(
  probe: StageProbe,
  file: string,
): Promise<CutOutPortrait | undefined> {
  const photo = await normalisePhoto(await readFile(file))
  const { person: reading } = await probe.ask({ kind: 'person', photo })
  if (!reading || reading.refusals.length > 0) return undefined
  const { cuts, maskScale } = reading.silhouette
  const sides = cuts.filter(({ y }) => y > 0 && y < reading.height).length
  if ((sides * maskScale) / reading.head.size > sideCutMax) return undefined
  const { alpha } = await probe.ask({ kind: 'matte', photo })
  if (!alpha) return undefined
  const image = await decodePhoto(photo)
  estimateForeground(image, alpha, reading.head.size)
  return { name: parse(file).name, photo, image, alpha, reading }
}

interface PlacedPortrait {
  portrait: CutOutPortrait
  toGroup: Similarity
}

/**
 * Composes one case. The first portrait is the chosen one; the others stand at its right and left.
 * @param behind whose background it is
 * @param chosenInFront whether the chosen person hides the others or stands behind them
 * @param spread distance of two faces, in head sizes; more where a face would be covered
 */
export async function composeGroup(
  probe: StageProbe,
  portraits: readonly CutOutPortrait[],
  behind: CutOutPortrait,
  chosenInFront: boolean,
  spread: number,
): Promise<GroupCase> {
  const { width, height, toGroup } = placeInGroup(
    portraits.map(({ reading }) => reading),
    spread,
  )
  const places = portraits.map((portrait, n) => ({ portrait, toGroup: toGroup[n]! }))
  const drawn = await Promise.all(places.map((place) => drawPortrait(place, width, height)))
  const rest = drawn.slice(1)
  const visible = chosenInFront ? drawn[0]!.matte : without(drawn[0]!.matte, rest)
  const theirs = unionOf(rest, width, height)
  const others = chosenInFront ? without(theirs, [drawn[0]!]) : theirs
  const face = applySimilarity(places[0]!.toGroup, portraits[0]!.reading.head.centre)
  const covered = places.some((place, n) => {
    const front = (n === 0) === chosenInFront ? [] : chosenInFront ? [drawn[0]!] : rest
    return isFaceCovered(place, front)
  })
  if (covered && spread < 2.4) {
    return composeGroup(probe, portraits, behind, chosenInFront, spread + 0.15)
  }
  const image = await drawBehind(probe, behind, width, height)
  for (const person of chosenInFront ? [...rest, drawn[0]!] : drawn) lay(image, person)
  const bytes = await sharp(image.data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer()
  const photo = {
    bytes,
    mediaType: 'image/jpeg',
    widthPx: width,
    heightPx: height,
    hasMatte: false,
  } as const
  const names = portraits.map(({ name }) => name)
  const name = `${names[0]} ${chosenInFront ? 'before' : 'behind'} ${names.slice(1).join(', ')}`
  return { name, photo, face, own: visible, others }
}

interface DrawnPortrait {
  image: RgbImage
  matte: BytePlane
}

async function drawPortrait(
  { portrait, toGroup }: PlacedPortrait,
  width: number,
  height: number,
): Promise<DrawnPortrait> {
  const { image, matte } = await warpPhoto(portrait.image, portrait.alpha, toGroup, width, height)
  return { image, matte: matte! }
}

function lay(image: RgbImage, { image: over, matte }: DrawnPortrait): void {
  for (let i = 0; i < matte.data.length; i++) {
    const share = matte.data[i]! / 255
    for (let at = i * 3; at < i * 3 + 3; at++) {
      image.data[at] = Math.round(over.data[at]! * share + image.data[at]! * (1 - share))
    }
  }
}

function without(matte: BytePlane, fronts: readonly DrawnPortrait[]): BytePlane {
  const data = matte.data.map((value, i) => {
    let seen = value
    for (const front of fronts) seen *= 1 - front.matte.data[i]! / 255
    return Math.round(seen)
  })
  return { ...matte, data }
}

function unionOf(people: readonly DrawnPortrait[], width: number, height: number): BytePlane {
  const union = createBytePlane(width, height)
  for (const { matte } of people) {
    for (let i = 0; i < union.data.length; i++) {
      union.data[i] = Math.max(union.data[i]!, matte.data[i]!)
    }
  }
  return union
}

function isFaceCovered(
  { portrait, toGroup }: PlacedPortrait,
  fronts: readonly DrawnPortrait[],
): boolean {
  const { oval, centre } = portrait.reading.head
  const points = oval.flatMap((point) =>
    [0.5, 0.8, 1].map((part) =>
      applySimilarity(toGroup, {
        x: centre.x + (point.x - centre.x) * part,
        y: centre.y + (point.y - centre.y) * part,
      }),
    ),
  )
  const covered = points.filter(({ x, y }) =>
    fronts.some(({ matte }) => matte.data[Math.floor(y) * matte.width + Math.floor(x)]! > 128),
  )
  return covered.length > coverMax * points.length
}

/** Nobody's background: what a portrait's own photo has behind its person, enlarged to the group's size. */
async function drawBehind(
  probe: StageProbe,
  { photo, reading }: CutOutPortrait,
  width: number,
  height: number,
): Promise<RgbImage> {
  const scale = Math.max(width / reading.width, height / reading.height) * 1.05
  const toPicture = similarity(
    scale,
    0,
    { x: reading.width / 2, y: reading.height / 2 },
    { x: width / 2, y: height / 2 },
  )
  const { background } = await probe.ask({
    kind: 'background',
    photo,
    toPicture,
    picture: { width, height },
  })
  const small = background!.planes
  const { width: smallWidth, height: smallHeight } = small[0]
  const image = createRgb(smallWidth, smallHeight)
  for (let i = 0; i < smallWidth * smallHeight; i++) {
    for (let c = 0; c < 3; c++) image.data[i * 3 + c] = small[c]!.data[i]!
  }
  const data = await sharp(image.data, {
    raw: { width: smallWidth, height: smallHeight, channels: 3 },
  })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer()
  return { data, width, height }
}
