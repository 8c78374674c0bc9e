import { releaseMemory } from '../../release-memory.ts'
import { createBytePlane } from '../../image/raster.ts'
import type { BytePlane } from '../../image/raster.ts'

/** Alpha, 0…255: what is fainter is haze about a speck, which links nothing. */
const linkMin = 90
/** Larger things, in squares of a head size, are limbs whose link lies outside of the picture. */
const islandMax = 0.04
/** A matte is looked at in squares of so many pixels; what is nearer than that hangs together. */
const cell = 3

/**
 * Drops the small things of a matte that hang in the air: specks of background beside the hair, which
 * a network or a filter took for strands, and the haze about them. Works in place.
 * @param headSize in pixels of the matte
 */
export function dropIslands(alpha: BytePlane, headSize: number): void {
  const strongest = poolStrongest(alpha)
  const cellsMax = islandMax * (headSize / cell) ** 2
  const visited = new Uint8Array(strongest.data.length)
  const component = new Int32Array(strongest.data.length)
  for (let i = 0; i < visited.length; i++) {
    if (visited[i] === 1 || strongest.data[i]! < linkMin) continue
    const size = collect(strongest, i, visited, component)
    if (size >= cellsMax) continue
    for (let n = 0; n < size; n++) clearAbout(alpha, strongest, component[n]!)
  }
  releaseMemory(strongest.data, visited, component)
}

/** The largest alpha of every square of the matte. */
function poolStrongest(alpha: BytePlane): BytePlane {
  const pooled = createBytePlane(Math.ceil(alpha.width / cell), Math.ceil(alpha.height / cell))
  for (let y = 0; y < alpha.height; y++) poolRow(alpha, y, pooled)
  return pooled
}

function poolRow({ data, width }: BytePlane, y: number, pooled: BytePlane): void {
  let at = Math.floor(y / cell) * pooled.width
  for (let x = 0, i = y * width; x < width; at++) {
    const end = Math.min(x + cell, width)
    let most = pooled.data[at]!
    for (; x < end; x++, i++) if (data[i]! > most) most = data[i]!
    pooled.data[at] = most
  }
}

/**
 * Collects the squares that hang together with one, also across corners.
 * @param component takes their indexes
 * @returns how many they are
 */
function collect(
  { data, width, height }: BytePlane,
  start: number,
  visited: Uint8Array,
  component: Int32Array,
): number {
  visited[start] = 1
  component[0] = start
  let size = 1
  for (let n = 0; n < size; n++) {
    const at = component[n]!
    const x = at % width
    const y = (at - x) / width
    const right = Math.min(x + 1, width - 1)
    const bottom = Math.min(y + 1, height - 1)
    for (let row = Math.max(0, y - 1); row <= bottom; row++) {
      for (let column = Math.max(0, x - 1); column <= right; column++) {
        const beside = row * width + column
        if (visited[beside] === 1 || data[beside]! < linkMin) continue
        visited[beside] = 1
        component[size++] = beside
      }
    }
  }
  return size
}

/** Empties a square, and of those beside it what is haze. */
function clearAbout(alpha: BytePlane, strongest: BytePlane, at: number): void {
  const x = at % strongest.width
  const y = (at - x) / strongest.width
  const right = Math.min(x + 1, strongest.width - 1)
  const bottom = Math.min(y + 1, strongest.height - 1)
  for (let row = Math.max(0, y - 1); row <= bottom; row++) {
    for (let column = Math.max(0, x - 1); column <= right; column++) {
      const beside = row * strongest.width + column
      if (beside === at || strongest.data[beside]! < linkMin) clearCell(alpha, column, row)
    }
  }
}

function clearCell({ data, width, height }: BytePlane, column: number, row: number): void {
  const left = column * cell
  const right = Math.min(left + cell, width)
  const bottom = Math.min((row + 1) * cell, height)
  for (let y = row * cell; y < bottom; y++) data.fill(0, y * width + left, y * width + right)
}
