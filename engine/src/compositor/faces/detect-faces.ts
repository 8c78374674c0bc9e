import type { Network } from '../../models/litert-runtime.ts'
import { releaseMemory } from '../../release-memory.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import type { Point, Rect } from '../../image/raster.ts'
import { applySimilarity, similarity, warpToFloats } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'

/** A face as the detector gives it, in pixels of the photo. */
export interface DetectedFace {
  /** Brow to chin, ear to ear. */
  box: Rect
  /** Eye on the picture's left, eye on its right, nose tip, mouth, left and right ear tragion. */
  keypoints: readonly Point[]
  /** 0…1 */
  score: number
}

const inputSize = 192
const gridSize = 48
const valuesPerAnchor = 16

/**
 * Runs the full-range BlazeFace on a square region of a photo.
 * Anchors are the centres of a 48×48 grid, all of size 1; boxes and keypoints are offsets in
 * pixels of the 192-pixel input (MediaPipe, face_detection_full_range_cpu.pbtxt).
 * Source: Bazarevsky et al., "BlazeFace", 2019, https://arxiv.org/abs/1907.05047
 * @param region maps the 192×192 input to the photo; may be turned
 */
export async function detectFacesInRegion(
  network: Network,
  photo: Pyramid,
  region: Similarity,
  scoreMin: number,
): Promise<DetectedFace[]> {
  const input = warpToFloats(photo, region, { width: inputSize, height: inputSize, range: [-1, 1] })
  const [boxes, logits] = await network.run(input)
  const found: DetectedFace[] = []
  const logitMin = Math.log(scoreMin / (1 - scoreMin))
  for (let anchor = 0; anchor < gridSize * gridSize; anchor++) {
    const logit = logits![anchor]!
    if (logit < logitMin) continue
    const at = anchor * valuesPerAnchor
    const anchorX = (((anchor % gridSize) + 0.5) / gridSize) * inputSize
    const anchorY = ((Math.floor(anchor / gridSize) + 0.5) / gridSize) * inputSize
    const point = (offset: number): Point =>
      applySimilarity(region, {
        x: anchorX + boxes![at + offset]!,
        y: anchorY + boxes![at + offset + 1]!,
      })
    const centre = point(0)
    const size = Math.hypot(region.a, region.b)
    const width = boxes![at + 2]! * size
    const height = boxes![at + 3]! * size
    found.push({
      box: { x: centre.x - width / 2, y: centre.y - height / 2, width, height },
      keypoints: [4, 6, 8, 10, 12, 14].map(point),
      score: 1 / (1 + Math.exp(-logit)),
    })
  }
  releaseMemory(input, boxes, logits)
  return mergeDetections(found)
}

/** A region that holds the whole photo, letter-boxed. */
export function wholePhotoRegion(width: number, height: number, rotation = 0): Similarity {
  return squareRegion({ x: width / 2, y: height / 2 }, Math.max(width, height), rotation)
}

/** Maps the detector's input to a square of the photo, clockwise by `rotation` radians. */
export function squareRegion(centre: Point, side: number, rotation = 0): Similarity {
  const middle = { x: inputSize / 2, y: inputSize / 2 }
  return similarity(side / inputSize, rotation, middle, centre)
}

/** Boxes that share more than this part of both are of one face (MediaPipe's own threshold). */
const overlapMax = 0.3

/** Weighted non-maximum suppression: of boxes that overlap by more than `overlapMax` the mean. */
export function mergeDetections(found: readonly DetectedFace[]): DetectedFace[] {
  let rest = found.toSorted((one, other) => other.score - one.score)
  const merged: DetectedFace[] = []
  while (rest.length > 0) {
    const best = rest[0]!
    const same = rest.filter((face) => overlap(face.box, best.box) > overlapMax)
    rest = rest.filter((face) => overlap(face.box, best.box) <= overlapMax)
    merged.push(same.length > 0 ? meanOf(same, best.score) : best)
    if (same.length === 0) rest = rest.slice(1)
  }
  return merged
}

function meanOf(faces: readonly DetectedFace[], score: number): DetectedFace {
  const total = faces.reduce((sum, face) => sum + face.score, 0)
  const mean = (value: (face: DetectedFace) => number): number =>
    faces.reduce((sum, face) => sum + value(face) * face.score, 0) / total
  return {
    box: {
      x: mean((face) => face.box.x),
      y: mean((face) => face.box.y),
      width: mean((face) => face.box.width),
      height: mean((face) => face.box.height),
    },
    keypoints: faces[0]!.keypoints.map((_, index) => ({
      x: mean((face) => face.keypoints[index]!.x),
      y: mean((face) => face.keypoints[index]!.y),
    })),
    score,
  }
}

/** Intersection over union of two boxes. */
export function overlap(one: Rect, other: Rect): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  if (width <= 0 || height <= 0) return 0
  const common = width * height
  return common / (one.width * one.height + other.width * other.height - common)
}
