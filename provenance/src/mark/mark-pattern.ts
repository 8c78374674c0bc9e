import { createHash } from 'node:crypto'
import { transform } from './fourier.ts'
import type { ComplexSquare } from './fourier.ts'
import { codedBitsCount } from './mark-code.ts'

/** Side of the tile that is repeated over the picture, in units of the canonical grid. */
export const tileSide = 128
/** Waves per tile: finer ones die in JPEG at half size, coarser ones would be seen as blotches. */
const radiusMin = 9
const radiusMax = 28
/** Of so many waves, one marks where the tile lies; the others carry bits. */
const syncShare = 12
/** Amplitude falls with this power of the frequency, as that of pictures does, only slower. */
const fallOff = 0.25

/** One plane wave of the tile. */
export interface MarkWave {
  /** Waves per tile, rightwards (0 or more) and downwards (negative for upwards). */
  kx: number
  ky: number
  /** Radians. */
  phase: number
  /** Index of the coded bit that turns this wave over; undefined where none does. */
  bit: number | undefined
  /** Such that the power of a tile of all waves is 1. */
  amplitude: number
}

/** The waves of a key: which of them carries what, and at which phase. */
export function markWaves(key: Uint8Array): MarkWave[] {
  const places = halfRing()
  const random = keyedRandom(key, places.length * 2)
  shuffle(places, random)
  const power = places.reduce((sum, place) => sum + 2 * radiusOf(place) ** (-2 * fallOff), 0)
  let carriers = 0
  return places.map((place, i) => ({
    ...place,
    phase: 2 * Math.PI * random(),
    bit: i % syncShare === 0 ? undefined : carriers++ % codedBitsCount,
    amplitude: radiusOf(place) ** -fallOff / Math.sqrt(power),
  }))
}

/** Index of a wave in a transformed tile. */
export function waveIndex({ kx, ky }: Pick<MarkWave, 'kx' | 'ky'>): number {
  return ((ky + tileSide) % tileSide) * tileSide + kx
}

/** Distance from zero frequency, in waves per tile. */
export function radiusOf({ kx, ky }: Pick<MarkWave, 'kx' | 'ky'>): number {
  return Math.hypot(kx, ky)
}

export function emptyTile(): ComplexSquare {
  const cells = tileSide * tileSide
  return { real: new Float64Array(cells), imaginary: new Float64Array(cells), side: tileSide }
}

/** A tile, `tileSide` × `tileSide`, of a signed amplitude a bit; power 1 where all are ±1. */
export function drawTile(waves: readonly MarkWave[], bits: ArrayLike<number>): Float64Array {
  const square = emptyTile()
  for (const wave of waves) {
    const size = wave.amplitude * (wave.bit === undefined ? 1 : bits[wave.bit]!)
    const at = waveIndex(wave)
    // The mirror image with the opposite phase makes the tile real.
    const opposite =
      ((tileSide - wave.ky) % tileSide) * tileSide + ((tileSide - wave.kx) % tileSide)
    square.real[at]! += size * Math.cos(wave.phase)
    square.imaginary[at]! += size * Math.sin(wave.phase)
    square.real[opposite]! += size * Math.cos(wave.phase)
    square.imaginary[opposite]! -= size * Math.sin(wave.phase)
  }
  transform(square, -1)
  return square.real
}

/** Half of the ring of frequencies; the other half is its mirror image in a real picture. */
function halfRing(): { kx: number; ky: number }[] {
  const places = []
  for (let ky = -radiusMax; ky <= radiusMax; ky++) {
    for (let kx = 0; kx <= radiusMax; kx++) {
      const radius = radiusOf({ kx, ky })
      const isMirror = kx === 0 && ky < 0
      if (radius >= radiusMin && radius <= radiusMax && !isMirror) places.push({ kx, ky })
    }
  }
  return places
}

/** `count` numbers from 0 to below 1 that only the key's holder can predict. */
function keyedRandom(key: Uint8Array, count: number): () => number {
  const bytes = createHash('shake256', { outputLength: count * 4 })
    .update('starside mark waves')
    .update(key)
    .digest()
  let at = 0
  return () => bytes.readUInt32LE(4 * at++) / 2 ** 32
}

function shuffle(items: unknown[], random: () => number): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const item = items[i]
    items[i] = items[j]
    items[j] = item
  }
}
