import type { NormalisedPhoto } from '../image-provider.ts'
import type { Network } from '../models/litert-runtime.ts'
import { joinJudgements, judgePhoto } from '../photo/inspect-photo.ts'
import type { FaceJudgement, InspectionInput } from '../photo/inspect-photo.ts'
import { measureBackdrop } from '../photo/measure-backdrop.ts'
import { decodePhoto } from './decode-photo.ts'
import { decideAreas } from './matting/decide-areas.ts'
import { findOwnership } from './matting/find-ownership.ts'
import { findFaces } from './faces/find-faces.ts'
import { joinHeads } from './faces/join-heads.ts'
import type { FoundFace } from './faces/find-faces.ts'
import { measureLight } from './harmonise/measure-light.ts'
import type { LightMeasure } from './harmonise/measure-light.ts'
import type { HeadMeasure } from './faces/measure-head.ts'
import { nearestFace, quarterRotationsFor, rotatePoint } from './faces/turn-upright.ts'
import { measureSharpness } from './harmonise/measure-sharpness.ts'
import { buildPyramid } from '../image/pyramid.ts'
import type { Pyramid } from '../image/pyramid.ts'
import { createPlane } from '../image/raster.ts'
import type { BytePlane, Plane } from '../image/raster.ts'
import type { EmptyBackground } from './layers/empty-background.ts'
import { joinCrops } from './matting/join-crops.ts'
import type { SegmentedCrop } from './matting/join-crops.ts'
import { releaseMemory } from '../release-memory.ts'
import { segmentPerson } from './matting/segment-person.ts'
import { keepConnected, traceSilhouette } from './matting/silhouette.ts'
import type { Silhouette } from './matting/silhouette.ts'
import { splitNeighbours } from './matting/split-neighbours.ts'
import type { Neighbours } from './matting/split-neighbours.ts'
import { affineOf } from '../image/warp.ts'
import type { Similarity } from '../image/warp.ts'

export interface Networks {
  faceDetector: Network
  faceMesh: Network
  personSegmenter: Network
}

/** A photo with all faces found in it. */
export interface ReadPhoto {
  photo: Pyramid
  matte: BytePlane | undefined
  faces: FoundFace[]
}

/** One of those who stay together. */
export interface Member {
  face: FoundFace
  light: LightMeasure
  /** Sharpness of the face, see `measureSharpness`. */
  sharpness: number
}

/** One person of a photo, or several together, ready for layout; pixels of the upright photo. */
export interface ReadSubject extends ReadPhoto, FaceJudgement {
  /** How often the photo was rotated clockwise by 90° to be upright. */
  quarterTurns: number
  /** In the order of the photo's faces. What is told of one person is the first one's. */
  members: readonly Member[]
  /** The first member's. */
  face: FoundFace
  /** All members' heads, and what they measure as one. */
  heads: readonly HeadMeasure[]
  head: HeadMeasure
  neighbours: Neighbours
  crops: SegmentedCrop[]
  /** Small matte of everybody in the photo, 0…1. */
  people: Plane
  /** Small matte of the members alone, 0…1. */
  person: Plane
  silhouette: Silhouette
  /** The first member's. */
  light: LightMeasure
  /** The photo's background without people, where it was made ready ahead of need. */
  background: EmptyBackground | undefined
}

/** The least long side of the small mattes. */
export const smallSideMin = 320
/** Cells of the small mattes that the smallest head has at least. */
const cellsPerHeadMin = 40

export async function readPhoto(
  networks: Networks,
  photo: NormalisedPhoto,
  quarterTurns = 0,
): Promise<ReadPhoto> {
  const { image, matte } = await decodePhoto(photo, quarterTurns)
  const pyramid = buildPyramid(image)
  return { photo: pyramid, matte, faces: await findFaces(networks, pyramid) }
}

/**
 * Finds out everything about one person of a photo, or several who stay together; the photo is rotated
 * upright first where the first of them lies in it.
 * @param faceIndexes at least one, none twice
 * @returns undefined where the photo lacks one of these faces
 */
export async function readSubject(
  networks: Networks,
  photo: NormalisedPhoto,
  faceIndexes: readonly number[],
): Promise<ReadSubject | undefined> {
  let read = await readPhoto(networks, photo)
  let faces = faceIndexes.flatMap((index) => read.faces[index] ?? [])
  if (faces.length < faceIndexes.length) return undefined
  const quarterTurns = quarterRotationsFor(faces[0]!.head)
  if (quarterTurns !== 0) {
    const { width, height } = read.photo.levels[0]!
    const wanted = faces.map(({ head }) => rotatePoint(head.centre, width, height, quarterTurns))
    read = await readPhoto(networks, photo, quarterTurns)
    faces = [...new Set(wanted.flatMap((point) => nearestFace(read.faces, point) ?? []))]
    if (faces.length < faceIndexes.length) return undefined
  }
  const subject = await describeSubject(networks, read, faces)
  return { ...subject, quarterTurns, background: undefined }
}

async function describeSubject(
  networks: Networks,
  read: ReadPhoto,
  faces: readonly FoundFace[],
): Promise<Omit<ReadSubject, 'quarterTurns' | 'background'>> {
  const { photo } = read
  const heads = faces.map(({ head }) => head)
  const others = read.faces.filter((other) => !faces.includes(other)).map((other) => other.head)
  const longSide = smallSideOf(photo.levels[0]!, faces)
  const segmented = await segmentSubject(networks, read, { heads, others, longSide })
  const members = faces.map((face) => ({
    face,
    light: measureLight(photo, face.mesh, face.head),
    sharpness: measureSharpness(photo, face.head),
  }))
  const { face, light } = members[0]!
  return {
    ...read,
    members,
    face,
    heads,
    head: joinHeads(heads),
    ...segmented,
    light,
    ...joinJudgements(
      members.map(({ face: each, light: { overhead, skin }, sharpness }) =>
        judgeFace(read, each, { sharpness, overhead, skin }),
      ),
    ),
  }
}

/** Finds who is where in a photo; `longSide` of the small mattes. */
async function segmentSubject(
  networks: Networks,
  { photo, matte }: ReadPhoto,
  { heads, others, longSide }: Record<'heads' | 'others', HeadMeasure[]> & { longSide: number },
): Promise<Pick<ReadSubject, 'crops' | 'people' | 'person' | 'neighbours' | 'silhouette'>> {
  const image = photo.levels[0]!
  const shrink = Math.min(1, longSide / Math.max(image.width, image.height))
  const width = Math.max(1, Math.round(image.width * shrink))
  // One scale for both axes, so the last row must not reach below the photo.
  const height = Math.max(1, Math.floor((image.height * width) / image.width))
  if (matte) {
    const people = shrinkMatte(matte, width, height)
    const silhouette = traceSilhouette(people, heads, image)
    const neighbours = { others, ownership: undefined }
    return { crops: [], people, person: people, neighbours, silhouette }
  }
  const crops = await segmentPerson(networks.personSegmenter, photo, heads, others)
  const peopleAt = (map: Similarity, gridWidth: number, gridHeight: number): Plane =>
    joinCrops(crops, image, affineOf(map), gridWidth, gridHeight)
  const toPhoto = { a: image.width / width, b: 0, tx: 0, ty: 0 }
  // The background loses what is half a person, too.
  const people = peopleAt(toPhoto, width, height)
  for (const crop of crops) decideAreas(crop, joinHeads(heads).size, [...heads, ...others])
  const decided = peopleAt(toPhoto, width, height)
  const ownership = others.length > 0 ? findOwnership(photo, peopleAt, heads, others) : undefined
  const neighbours = { others, ownership }
  const split = { ...decided, data: decided.data.slice() }
  splitNeighbours(split, toPhoto, heads, neighbours)
  const inMatte = heads.map(({ centre, size }) => ({
    x: centre.x / toPhoto.a,
    y: centre.y / toPhoto.a,
    size: size / toPhoto.a,
  }))
  const person = keepConnected(split, inMatte)
  const silhouette = traceSilhouette(person, heads, image, decided)
  releaseMemory(split.data, decided.data)
  return { crops, people, person, neighbours, silhouette }
}

/** The long side of a photo's small mattes: in those of people far away their outlines would be stairs. */
export function smallSideOf(
  { width, height }: { width: number; height: number },
  faces: readonly Pick<FoundFace, 'head'>[],
): number {
  const head = Math.min(...faces.map((face) => face.head.size))
  return Math.max(smallSideMin, (cellsPerHeadMin * Math.max(width, height)) / head)
}

/** Judges a photo by one of its faces, which may be missing. */
export function judgeFace(
  { photo, matte, faces }: ReadPhoto,
  face: FoundFace | undefined,
  measured: Pick<InspectionInput, 'shrunkBy' | 'sharpness' | 'overhead' | 'skin'>,
): FaceJudgement {
  const { width, height } = photo.levels[0]!
  // A cut-out has no background of its own.
  const blownBackdrop = face && !matte ? measureBackdrop(photo.levels[0]!, face.head) : 0
  const faceIndex = face ? faces.indexOf(face) : -1
  return judgePhoto({ width, height, faces, faceIndex, ...measured, blownBackdrop })
}

function shrinkMatte(matte: BytePlane, width: number, height: number): Plane {
  const result = createPlane(width, height)
  const stepX = matte.width / width
  const stepY = matte.height / height
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const at = Math.floor((y + 0.5) * stepY) * matte.width + Math.floor((x + 0.5) * stepX)
      result.data[i] = matte.data[at]! / 255
    }
  }
  return result
}
