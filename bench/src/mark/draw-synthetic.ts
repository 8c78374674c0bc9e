import type { RawPicture } from '@starside/engine/finish/raw-picture.ts'

type Shade = (x: number, y: number, random: () => number) => number

/** Patterns that could resemble a mark: noise, waves, gradients, tiles, flat areas. */
const shades: readonly ((random: () => number) => Shade)[] = [
  () => (_x, _y, random) => 255 * random(),
  (random) => {
    const [kx, ky] = [random() * 0.9, random() * 0.9]
    return (x, y) => 128 + 90 * Math.sin(kx * x + ky * y)
  },
  (random) => {
    const slope = random()
    return (x, y, noise) => (slope * x + (1 - slope) * y) / 4 + 6 * noise()
  },
  (random) => {
    // Repeated like the mark's own tile, and of other sides too.
    const side = [64, 100, 128, 144, 256][Math.floor(random() * 5)]!
    const tile = Float64Array.from({ length: side * side }, () => 255 * random())
    return (x, y) => tile[(y % side) * side + (x % side)]!
  },
  () => (x, y, random) => 120 + 30 * Math.sin(x / 40) * Math.cos(y / 55) + 20 * random(),
  (random) => {
    const level = 255 * random()
    return () => level
  },
]

const sides = [
  [512, 640],
  [576, 576],
  [768, 432],
  [640, 480],
  [900, 700],
] as const

/** The n-th of an endless row of pictures that nobody marked; the same each time. */
export function drawSynthetic(index: number): RawPicture {
  const random = generatorOf(index)
  const [widthPx, heightPx] = sides[index % sides.length]!
  const shade = shades[index % shades.length]!(random)
  const pixels = new Uint8Array(widthPx * heightPx * 3)
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const level = Math.min(255, Math.max(0, Math.round(shade(x, y, random))))
      pixels.fill(level, 3 * (y * widthPx + x), 3 * (y * widthPx + x) + 3)
    }
  }
  return { pixels, widthPx, heightPx }
}

/** A linear congruential generator (Numerical Recipes), which is random enough to draw with. */
function generatorOf(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
