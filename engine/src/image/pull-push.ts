import type { ColourPlanes } from './colour-planes.ts'
import { kernels, openArena } from './kernels.ts'
import { mapTriple } from './map-triple.ts'
import type { Plane } from './raster.ts'

/**
 * Fills the holes of a picture from their surroundings: averages of what is known are pulled up a
 * pyramid, then pushed back down where nothing is known.
 * Source: Gortler et al., "The Lumigraph", SIGGRAPH 1996, section 3.4 (pull-push).
 * @param weight 1 where the picture is known, 0 where it is not
 */
export function pullPush(planes: ColourPlanes, weight: Plane): ColourPlanes {
  const arena = openArena()
  const openLevel = (width: number, height: number) => {
    const colours = arena.allocate(width * height * 16)
    return { width, height, colours, weights: arena.allocate(width * height * 4) }
  }
  const { width, height } = weight
  const count = width * height
  const finest = openLevel(width, height)
  const vectors = arena.floats(finest.colours, count * 4)
  for (const [channel, { data }] of planes.entries()) {
    for (let i = 0, at = channel; i < count; i++, at += 4) vectors[at] = data[i]!
  }
  arena.floats(finest.weights, count).set(weight.data)
  const levels = [finest]
  for (let level = finest; level.width > 1 || level.height > 1; level = levels[0]!) {
    const half = openLevel((level.width + 1) >> 1, (level.height + 1) >> 1)
    const { colours, weights, width: columns, height: rows } = level
    kernels.pullColours(colours, weights, columns, rows, half.colours, half.weights)
    levels.unshift(half)
  }
  for (const [n, { colours, weights, width: columns, height: rows }] of levels.entries()) {
    if (n > 0) kernels.pushColours(colours, weights, columns, rows, levels[n - 1]!.colours)
  }
  const filled = arena.floats(finest.colours, count * 4)
  return mapTriple([0, 1, 2], (channel) => {
    const data = new Float32Array(count)
    for (let i = 0, at = channel; i < count; i++, at += 4) data[i] = filled[at]!
    return { data, width, height }
  })
}
