import type { Layer } from './layer.ts'

/**
 * Puts a layer out of focus as a round aperture does: every point becomes an even disc, in linear
 * light, so that lamps stay bright. Rows are summed up once, so that each row of the disc costs one
 * difference.
 * @param radius in pixels
 */
export function blurByDisc({ width, height, data }: Layer, radius: number): Layer {
  const reach = Math.floor(radius)
  if (reach < 1) return { width, height, data }
  const sums = sumRows(data, width, height)
  const stride = (width + 1) * 4
  const result = new Float32Array(data.length)
  for (let dy = -reach; dy <= reach; dy++) {
    const half = Math.floor(Math.sqrt(radius * radius - dy * dy))
    for (let y = 0; y < height; y++) {
      // Beyond the canvas its border goes on.
      const row = Math.min(Math.max(y + dy, 0), height - 1) * stride
      // A row whose whole coverage is zero has nothing to add; most of a layer of figures is such.
      if (sums[row + stride - 1] === 0) continue
      let out = y * width * 4
      for (let x = 0; x < width; x++, out += 4) {
        const to = row + Math.min(x + half + 1, width) * 4
        const from = row + Math.max(x - half, 0) * 4
        result[out]! += sums[to]! - sums[from]!
        result[out + 1]! += sums[to + 1]! - sums[from + 1]!
        result[out + 2]! += sums[to + 2]! - sums[from + 2]!
        result[out + 3]! += sums[to + 3]! - sums[from + 3]!
      }
    }
  }
  let area = 0
  for (let dy = -reach; dy <= reach; dy++) {
    area += 2 * Math.floor(Math.sqrt(radius * radius - dy * dy)) + 1
  }
  for (let i = 0; i < result.length; i++) result[i]! /= area
  return { width, height, data: result }
}

function sumRows(data: Float32Array, width: number, height: number): Float64Array {
  const sums = new Float64Array((width + 1) * height * 4)
  for (let y = 0, at = 0, out = 4; y < height; y++, out += 4) {
    for (let i = 0; i < width * 4; i++, at++, out++) sums[out] = sums[out - 4]! + data[at]!
  }
  return sums
}

/** Lays a layer over what lies behind it. */
export function layOver(behind: Layer, layer: Layer): void {
  for (let i = 0; i < layer.data.length; i += 4) {
    const rest = 1 - layer.data[i + 3]!
    for (let c = 0; c < 4; c++) behind.data[i + c] = behind.data[i + c]! * rest + layer.data[i + c]!
  }
}
