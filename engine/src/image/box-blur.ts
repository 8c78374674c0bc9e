import type { ColourVectors } from './colour-vectors.ts'
import { kernels, openArena } from './kernels.ts'
import type { Plane } from './raster.ts'

/** Mean over a square of `2·radius + 1`, cut at the rim; running sums, so its cost is one. */
export function boxBlur(plane: Plane, radius: number): Plane {
  return blurTimes(plane, radius, 1, 1)
}

/** Near-Gaussian blur of `sigma` pixels by three boxes (Kovesi, DICTA 2010), as a new plane. */
export function gaussianBlur(plane: Plane, sigma: number): Plane {
  return blurByBoxes(plane, sigma, 1)
}

/** As `gaussianBlur`, of colours. */
export function blurColours(colours: ColourVectors, sigma: number): ColourVectors {
  return blurByBoxes(colours, sigma, 4)
}

function blurByBoxes(plane: Plane | ColourVectors, sigma: number, lanes: 1 | 4): Plane {
  if (sigma < 0.3) return { ...plane, data: plane.data.slice() }
  const radius = Math.max(1, Math.round((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2))
  return blurTimes(plane, radius, 3, lanes)
}

function blurTimes(
  { data, width, height }: Plane | ColourVectors,
  radius: number,
  times: number,
  lanes: 1 | 4,
): Plane {
  const blurRows = lanes === 1 ? kernels.blurRows : kernels.blurVectorRows
  const arena = openArena()
  const source = arena.copyIn(data)
  const across = arena.allocate(data.byteLength)
  const sums = arena.allocate(width * 12 * lanes)
  for (let n = 0; n < times; n++) {
    blurRows(source, across, width, height, radius)
    kernels.blurColumns(across, source, sums, width * lanes, height, radius)
  }
  return { data: arena.floats(source, data.length).slice(), width, height }
}
