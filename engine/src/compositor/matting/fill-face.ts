import { faceOval, pointOf } from '../faces/face-mesh.ts'
import type { FoundFace } from '../faces/find-faces.ts'
import { fillPolygon } from '../../image/polygon-mask.ts'
import type { BytePlane, Plane } from '../../image/raster.ts'
import { refineShrink } from './refine-matte.ts'
import { applySimilarity } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'

/** How much of the face's outline is surely inside of the person, whatever the networks say. */
const sureFace = 0.93
/** In a face turned further than this the mesh may lie beside the cheek, in the air. */
const yawMax = (35 * Math.PI) / 180
/** Where the network sees less of a person than this there may be none. */
const coarseMin = 0.15

/**
 * Makes the face opaque, in place: shining foreheads and glasses are person too. Filled is what the
 * matte encloses, and in a face that looks at the camera what the network takes for a person at all.
 * What is open to the outside stays, as the mesh of a profile reaches over its background.
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
      x: head.centre.x + (x - head.centre.x) * sureFace,
      y: head.centre.y + (y - head.centre.y) * sureFace,
    })
  })
  const face = fillPolygon(outline, alpha.width, alpha.height)
  const open = findOpen(alpha, face)
  const isFrontal = Math.abs(head.yaw) <= yawMax
  for (let i = 0; i < face.data.length; i++) {
    if (face.data[i] === 0 || alpha.data[i] === 255) continue
    if (open[i] === 0 || (isFrontal && coarseAt(coarse, i, alpha.width) > coarseMin)) {
      alpha.data[i] = 255
    }
  }
}

/** 1 for the transparent pixels of the face that hang together with its outside. */
function findOpen(alpha: BytePlane, face: BytePlane): Uint8Array {
  const { width, height } = alpha
  const open = new Uint8Array(width * height)
  const isHole = (i: number): boolean => face.data[i]! > 0 && alpha.data[i]! < 128
  const stack: number[] = []
  const visit = (i: number): void => {
    if (open[i] === 1 || !isHole(i)) return
    open[i] = 1
    stack.push(i)
  }
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (face.data[i] === 0) continue
      const isRim =
        x === 0 ||
        y === 0 ||
        x === width - 1 ||
        y === height - 1 ||
        face.data[i - 1] === 0 ||
        face.data[i + 1] === 0 ||
        face.data[i - width] === 0 ||
        face.data[i + width] === 0
      if (isRim) visit(i)
    }
  }
  while (stack.length > 0) {
    const i = stack.pop()!
    const x = i % width
    if (x > 0) visit(i - 1)
    if (x < width - 1) visit(i + 1)
    if (i >= width) visit(i - width)
    if (i < open.length - width) visit(i + width)
  }
  return open
}

function coarseAt(coarse: Plane, i: number, width: number): number {
  const x = Math.min(Math.floor((i % width) / refineShrink), coarse.width - 1)
  const y = Math.min(Math.floor(i / width / refineShrink), coarse.height - 1)
  return coarse.data[y * coarse.width + x]!
}
