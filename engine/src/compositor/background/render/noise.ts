/** A number 0…1 for every place of a grid, the same for the same seed (murmur3's finaliser). */
export function hash(x: number, y: number, seed: number): number {
  let h =
    Math.imul(x | 0, 0x27d4eb2d) ^ Math.imul(y | 0, 0x165667b1) ^ Math.imul(seed | 0, 0x9e3779b1)
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return ((h ^ (h >>> 16)) >>> 0) / 4_294_967_296
}

/** Smooth value noise, 0…1, with one feature a unit. */
export function noise(x: number, y: number, seed: number): number {
  const x0 = Math.floor(x)
  const y0 = Math.floor(y)
  const fx = x - x0
  const fy = y - y0
  const sx = fx * fx * (3 - 2 * fx)
  const sy = fy * fy * (3 - 2 * fy)
  const top = hash(x0, y0, seed) * (1 - sx) + hash(x0 + 1, y0, seed) * sx
  const bottom = hash(x0, y0 + 1, seed) * (1 - sx) + hash(x0 + 1, y0 + 1, seed) * sx
  return top + (bottom - top) * sy
}

/** Noise of several sizes on top of each other, each half as large and as strong; 0…1. */
export function fractalNoise(x: number, y: number, seed: number, octaves: number): number {
  let sum = 0
  let share = 0.5
  let scale = 1
  for (let n = 0; n < octaves; n++) {
    sum += share * noise(x * scale, y * scale, seed + n)
    share /= 2
    scale *= 2.03
  }
  return sum / (1 - 2 * share)
}
