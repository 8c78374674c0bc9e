import type { Plane } from '@starside/engine/image/raster.ts'
import { addTiles } from './canonical-plane.ts'
import { transform } from './fourier.ts'
import type { ComplexSquare } from './fourier.ts'
import { codedBitsCount } from './mark-code.ts'
import { emptyTile, radiusOf, tileSide, waveIndex } from './mark-pattern.ts'
import type { MarkWave } from './mark-pattern.ts'

/** Removes what is coarser than the mark's waves, in units of the grid. */
const meanRadius = 8
/** Over this radius busy and calm places are brought to the same amplitudes … */
const powerRadius = 4
/** … but nothing is amplified that is calmer than this, in levels of brightness. */
const powerMin = 2

/** A plane's frequencies, its tiles added up, each place brought to the same power. */
export function foldTiles(plane: Plane): ComplexSquare {
  const radii = { mean: meanRadius, power: powerRadius }
  const folded = { ...emptyTile(), real: addTiles(plane, radii, powerMin, tileSide) }
  transform(folded, 1)
  return folded
}

/** Where the tile's corner lies in a plane, in units of the grid; 0 to below `tileSide`. */
export type TileOffset = { x: number; y: number }

/** Each bit's correlation over its waves, in units of noise, positive for 1; `offset` of a crop. */
export function correlate(
  folded: ComplexSquare,
  waves: readonly MarkWave[],
  offset: TileOffset = { x: 0, y: 0 },
): Float64Array {
  const noise = noiseByRadius(folded, waves)
  const bits = new Float64Array(codedBitsCount)
  for (const wave of waves) {
    if (wave.bit === undefined) continue
    const shift = (2 * Math.PI * (wave.kx * offset.x + wave.ky * offset.y)) / tileSide
    const at = waveIndex(wave)
    const angle = wave.phase - shift
    const inPhase = folded.real[at]! * Math.cos(angle) + folded.imaginary[at]! * Math.sin(angle)
    bits[wave.bit]! += inPhase / noise[Math.round(radiusOf(wave))]!
  }
  return bits
}

/** Finds where the tiles lie in a picture that was cropped, by the waves that carry no bit. */
export function findOffset(folded: ComplexSquare, waves: readonly MarkWave[]): TileOffset {
  const noise = noiseByRadius(folded, waves)
  const match = emptyTile()
  for (const wave of waves) {
    if (wave.bit !== undefined) continue
    const at = waveIndex(wave)
    const weight = 1 / noise[Math.round(radiusOf(wave))]!
    const cosine = Math.cos(wave.phase)
    const sine = Math.sin(wave.phase)
    // Times the conjugate of the wave: back in the plane, a peak where both lie upon each other.
    match.real[at] = weight * (folded.real[at]! * cosine + folded.imaginary[at]! * sine)
    match.imaginary[at] = weight * (folded.imaginary[at]! * cosine - folded.real[at]! * sine)
  }
  transform(match, -1)
  let best = 0
  for (let at = 1; at < match.real.length; at++) {
    if (match.real[at]! > match.real[best]!) best = at
  }
  return { x: best % tileSide, y: Math.floor(best / tileSide) }
}

/** Root mean square of one part of the waves, for each whole radius. */
function noiseByRadius(folded: ComplexSquare, waves: readonly MarkWave[]): Float64Array {
  const power = new Float64Array(tileSide)
  const count = new Float64Array(tileSide)
  for (const wave of waves) {
    const at = waveIndex(wave)
    const radius = Math.round(radiusOf(wave))
    power[radius]! += folded.real[at]! ** 2 + folded.imaginary[at]! ** 2
    count[radius]! += 2
  }
  // A flat picture has no power at all, and must not divide by zero.
  return power.map((value, radius) => Math.sqrt(value / Math.max(1, count[radius]!)) + 1e-12)
}
