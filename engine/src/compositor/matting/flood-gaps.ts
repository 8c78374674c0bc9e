import type { BytePlane, Plane } from '../../image/raster.ts'
import type { Part } from './hair-colours.ts'

/**
 * Goes step by step from where the matte is open already through what shows the background. It also
 * begins in gaps that strands close.
 * @param inHair not 0 in the middle of such a gap
 * @param gapDepth how deep that counts
 * @returns 0 where it didn't come, 1 where it began, else the number of steps
 */
export function floodGaps(
  matte: Plane,
  shares: Plane,
  inHair: BytePlane,
  { part, gapDepth, reach }: { part: Part; gapDepth: number; reach: number },
): Uint16Array {
  const { width, height } = part
  const closedDepth = Math.max(2, Math.ceil(gapDepth))
  const depths = new Uint16Array(width * height)
  let front: number[] = []
  const gaps: number[] = []
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (matte.data[(y + part.top) * matte.width + x + part.left]! <= 0.3) {
        depths[i] = 1
        front.push(i)
      } else if (inHair.data[i] !== 0) {
        depths[i] = closedDepth
        gaps.push(i)
      }
    }
  }
  for (let depth = 2; depth < reach && (front.length > 0 || depth <= closedDepth + 1); depth++) {
    if (depth === closedDepth + 1) front = front.concat(gaps)
    const next: number[] = []
    for (const i of front) {
      for (let side = 0; side < 4; side++) {
        const neighbour = neighbourOf(i, side, width, depths.length)
        if (neighbour < 0 || depths[neighbour] !== 0 || shares.data[neighbour]! < 0.3) continue
        depths[neighbour] = depth
        next.push(neighbour)
      }
    }
    front = next
  }
  return depths
}

/** Forgets the gaps that are nowhere as deep as is asked for. */
export function keepDeepGaps(depths: Uint16Array, width: number, depthMin: number): void {
  const kept = new Uint8Array(depths.length)
  const stack: number[] = []
  for (let i = 0; i < depths.length; i++) {
    if (depths[i]! < Math.max(2, depthMin) || kept[i] === 1) continue
    kept[i] = 1
    stack.push(i)
    while (stack.length > 0) {
      const from = stack.pop()!
      for (let side = 0; side < 4; side++) {
        const neighbour = neighbourOf(from, side, width, depths.length)
        if (neighbour < 0 || kept[neighbour] === 1 || depths[neighbour]! < 2) continue
        kept[neighbour] = 1
        stack.push(neighbour)
      }
    }
  }
  for (let i = 0; i < depths.length; i++) if (kept[i] === 0 && depths[i]! > 1) depths[i] = 0
}

/**
 * The pixel at one side of another: 0 left, 1 right, 2 above, 3 below; −1 outside of the part. A
 * list of all four would be garbage for every pixel.
 */
function neighbourOf(i: number, side: number, width: number, length: number): number {
  if (side === 0) return i % width > 0 ? i - 1 : -1
  if (side === 1) return i % width < width - 1 ? i + 1 : -1
  if (side === 2) return i >= width ? i - width : -1
  return i + width < length ? i + width : -1
}
