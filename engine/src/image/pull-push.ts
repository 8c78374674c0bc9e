import type { ColourVectors } from './colour-vectors.ts'
import { kernels, openArena } from './kernels.ts'
import type { Plane } from './raster.ts'

/**
 * Fills the holes of a picture from their surroundings, in place: averages of what is known are pulled up a
 * pyramid, then pushed back down where nothing is known.
 * Source: Gortler et al., "The Lumigraph", SIGGRAPH 1996, section 3.4 (pull-push).
 * @param weight 1 where the picture is known, 0 where it is not
 */
export function pullPush({ data, width, height }: ColourVectors, weight: Plane): void {
  const arena = openArena()
  const finest = { width, height, colours: arena.copyIn(data), weights: arena.copyIn(weight.data) }
  const levels = [finest]
  for (let level = finest; level.width > 1 || level.height > 1; level = levels[0]!) {
    const [columns, rows] = [(level.width + 1) >> 1, (level.height + 1) >> 1]
    const colours = arena.allocate(columns * rows * 16)
    const half = {
      width: columns,
      height: rows,
      colours,
      weights: arena.allocate(columns * rows * 4),
    }
    const { colours: from, weights } = level
    kernels.pullColours(from, weights, level.width, level.height, half.colours, half.weights)
    levels.unshift(half)
  }
  for (const [n, { colours, weights, width: columns, height: rows }] of levels.entries()) {
    if (n > 0) kernels.pushColours(colours, weights, columns, rows, levels[n - 1]!.colours)
  }
  data.set(arena.floats(finest.colours, data.length))
}
