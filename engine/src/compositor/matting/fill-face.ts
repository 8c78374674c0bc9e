import { faceOval, pointOf } from '../faces/face-mesh.ts'
import type { FoundFace } from '../faces/find-faces.ts'
import { fillPolygon } from '../../image/polygon-mask.ts'
import type { BytePlane, Plane } from '../../image/raster.ts'
import { refineShrink } from './refine-matte.ts'
import { applySimilarity } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'

/** How much of the face's outline is surely inside of the person, whatever the networks say. */
const certainFaceShare = 0.93
/** In a face with a larger yaw than this the mesh may lie beside the cheek, in the air. */
const yawMax = (35 * Math.PI) / 180
/** Where the network sees less of a person than this there may be none. */
const coarseMin = 0.15

/**
 * Makes the face opaque, in place: shining foreheads and glasses are person too. Filled is what the
 * matte encloses, and in a face that looks at the camera what the network takes for a person at
 * all. What is open to the outside stays, as the mesh of a profile reaches over its background.
 * @param coarse the network's matte over the same frame, `refineShrink` times smaller
 * @param toAlpha from the photo's pixels to the matte's
 */
export function fillFace(
  alpha: BytePlane,
  coarse: Plane,
  { mesh, head }: Pick<FoundFace, 'mesh' | 'head'>,
  toAlpha: Similarity,
): void {
  const outline = faceOval.map((index) => {
    const { x, y } = pointOf(mesh, index)
    return applySimilarity(toAlpha, {
      x: head.centre.x + (x - head.centre.x) * certainFaceShare,
      y: head.centre.y + (y - head.centre.y) * certainFaceShare,
    })
  })
  const face = fillPolygon(outline, alpha.width, alpha.height)
  const open = findOpen(alpha, face)
  const isFrontal = Math.abs(head.yaw) <= yawMax
  for (let y = 0; y < alpha.height; y++) {
    fillRow(alpha, y, { face, open, coarse: isFrontal ? coarse : undefined })
  }
}

/** @param filling.coarse undefined fills what is enclosed only */
function fillRow(
  alpha: BytePlane,
  y: number,
  { face, open, coarse }: { face: BytePlane; open: Uint8Array; coarse: Plane | undefined },
): void {
  for (let x = 0, i = y * alpha.width; x < alpha.width; x++, i++) {
    if (face.data[i] === 0 || alpha.data[i] === 255) continue
    if (open[i] === 0 || (coarse && coarseAt(coarse, i, alpha.width) > coarseMin)) {
      alpha.data[i] = 255
    }
  }
}

/** 1 for the transparent pixels of the face that hang together with its outside. */
function findOpen(alpha: BytePlane, face: BytePlane): Uint8Array {
  const { width, height } = alpha
  const search: OpenSearch = { open: new Uint8Array(width * height), stack: [], alpha, face }
  for (let y = 0; y < height; y++) visitRim(search, y)
  const { stack, open } = search
  while (stack.length > 0) {
    const i = stack.pop()!
    const x = i % width
    if (x > 0) visit(search, i - 1)
    if (x < width - 1) visit(search, i + 1)
    if (i >= width) visit(search, i - width)
    if (i < open.length - width) visit(search, i + width)
  }
  return open
}

interface OpenSearch {
  open: Uint8Array
  stack: number[]
  alpha: BytePlane
  face: BytePlane
}

/** Visits the pixels of a row that have a side outside of the face. */
function visitRim(search: OpenSearch, y: number): void {
  const { data, width, height } = search.face
  const isOuterRow = y === 0 || y === height - 1
  for (let x = 0, i = y * width; x < width; x++, i++) {
    if (data[i] === 0) continue
    const isRim =
      isOuterRow ||
      x === 0 ||
      x === width - 1 ||
      data[i - 1] === 0 ||
      data[i + 1] === 0 ||
      data[i - width] === 0 ||
      data[i + width] === 0
    if (isRim) visit(search, i)
  }
}

function visit({ open, stack, alpha, face }: OpenSearch, i: number): void {
  if (open[i] === 1 || face.data[i] === 0 || alpha.data[i]! >= 128) return
  open[i] = 1
  stack.push(i)
}

function coarseAt(coarse: Plane, i: number, width: number): number {
  const x = Math.min(Math.floor((i % width) / refineShrink), coarse.width - 1)
  const y = Math.min(Math.floor(i / width / refineShrink), coarse.height - 1)
  return coarse.data[y * coarse.width + x]!
}
