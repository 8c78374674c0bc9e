import type { Network } from '../../models/litert-runtime.ts'
import {
  detectFacesInRegion,
  mergeDetections,
  squareRegion,
  wholePhotoRegion,
} from './detect-faces.ts'
import type { DetectedFace } from './detect-faces.ts'
import { findFaceMesh } from './face-mesh.ts'
import type { FaceMesh } from './face-mesh.ts'
import { measureHead } from './measure-head.ts'
import type { HeadMeasure } from './measure-head.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import { clamp } from '../../image/raster.ts'

export interface FaceNetworks {
  faceDetector: Network
  faceMesh: Network
}

/** A face with its points and measures, all in pixels of the photo as given. */
export interface FoundFace {
  detection: DetectedFace
  mesh: FaceMesh
  head: HeadMeasure
}

/** Below this probability the detector, or the mesh after it, says that there is no face. */
const certainMin = 0.5
/** Faces at most that are measured with the mesh. */
const facesMax = 18
/** A face narrower than this part of the long side has parts of the photo searched too. */
const smallFace = 0.12

/** Side of the parts, of the long side; squares half as wide are searched last, where nothing at all was found. */
const partSide = 0.55
/** So many searches bring more false positives, so their score must be higher. */
const tileScoreMin = 0.6

/**
 * Finds the faces of an upright or turned photo, the main one first, the others from the left. If
 * the whole has none or only small ones, five overlapping parts are searched; if these have none,
 * the rotated photo, as the detector stops at about 40 degrees; at last small tiles, to call a far
 * face small and not missing. The mesh measures each and drops false positives.
 */
export async function findFaces(networks: FaceNetworks, photo: Pyramid): Promise<FoundFace[]> {
  const { width, height } = photo.levels[0]!
  const long = Math.max(width, height)
  const detectRotated = (rotation: number): Promise<DetectedFace[]> =>
    detectFacesInRegion(
      networks.faceDetector,
      photo,
      wholePhotoRegion(width, height, rotation),
      certainMin,
    )
  let detections = await detectRotated(0)
  if (!detections.some((face) => face.box.width > long * smallFace)) {
    detections = mergeDetections([...detections, ...(await detectInParts(networks, photo))])
  }
  let faces = await measureFaces(networks, photo, detections)
  for (const degrees of [90, -90, 45, -45, 180]) {
    if (faces.length > 0) break
    faces = await measureFaces(networks, photo, await detectRotated((degrees * Math.PI) / 180))
  }
  if (faces.length === 0) {
    faces = await measureFaces(networks, photo, await detectInTiles(networks, photo))
  }
  return orderFaces(faces, width, height)
}

/** Searches five squares: the corners and the middle. */
async function detectInParts(networks: FaceNetworks, photo: Pyramid): Promise<DetectedFace[]> {
  const { width, height } = photo.levels[0]!
  const side = Math.max(width, height) * partSide
  const found: DetectedFace[] = []
  for (const [u, v] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
    [0.5, 0.5],
  ] as const) {
    const half = side / 2
    const centre = {
      x: u * (width - Math.min(side, width)) + Math.min(half, width / 2),
      y: v * (height - Math.min(side, height)) + Math.min(half, height / 2),
    }
    found.push(
      ...(await detectFacesInRegion(
        networks.faceDetector,
        photo,
        squareRegion(centre, side),
        certainMin,
      )),
    )
  }
  return found
}

/** Searches small squares that overlap by at least a third. */
async function detectInTiles(networks: FaceNetworks, photo: Pyramid): Promise<DetectedFace[]> {
  const { width, height } = photo.levels[0]!
  const side = (Math.max(width, height) * partSide) / 2
  const found: DetectedFace[] = []
  for (const y of tileCentres(height, side)) {
    for (const x of tileCentres(width, side)) {
      const region = squareRegion({ x, y }, side)
      found.push(...(await detectFacesInRegion(networks.faceDetector, photo, region, tileScoreMin)))
    }
  }
  return mergeDetections(found)
}

function tileCentres(length: number, side: number): number[] {
  if (length <= side) return [length / 2]
  const steps = Math.ceil((length - side) / ((side * 2) / 3))
  return Array.from({ length: steps + 1 }, (_, n) => side / 2 + (n * (length - side)) / steps)
}

async function measureFaces(
  networks: FaceNetworks,
  photo: Pyramid,
  detections: readonly DetectedFace[],
): Promise<FoundFace[]> {
  const faces: FoundFace[] = []
  const largest = detections.toSorted((one, other) => other.box.width - one.box.width)
  for (const detection of largest.slice(0, facesMax)) {
    const mesh = await findFaceMesh(networks.faceMesh, photo, detection)
    if (mesh.presence < certainMin) continue
    const head = measureHead(mesh)
    const twice = faces.some(
      (face) =>
        Math.hypot(face.head.centre.x - head.centre.x, face.head.centre.y - head.centre.y) <
        face.head.faceWidth / 2,
    )
    if (!twice) faces.push({ detection, mesh, head })
  }
  return faces
}

/** The main face first: the largest, where a face at the rim counts half of one in the middle. */
export function orderFaces(
  faces: readonly FoundFace[],
  width: number,
  height: number,
): FoundFace[] {
  const rank = (face: FoundFace): number => {
    const { centre, size } = face.head
    const away = Math.hypot(centre.x / width - 0.5, centre.y / height - 0.5) / Math.SQRT1_2
    return size * (1 - 0.5 * clamp(away, 0, 1))
  }
  const main = faces.toSorted((one, other) => rank(other) - rank(one))[0]
  if (!main) return []
  const others = faces.filter((face) => face !== main)
  return [main, ...others.toSorted((one, other) => one.head.centre.x - other.head.centre.x)]
}
