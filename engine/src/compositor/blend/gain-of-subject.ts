import type { ArrangedSubject } from '../../arrangement.ts'
import { mapTriple } from '../../image/map-triple.ts'
import { luminance } from '../../image/srgb.ts'
import { unchanged } from './blend.ts'
import type { Gain } from './blend.ts'

/** How far full brightness changes the exposure, in stops. */
const brightnessStops = 0.8
/** How far full warmth brings red up and blue down, in stops. */
const warmthStops = 0.35

/**
 * Factors on linear RGB of one subject: what the place does to everybody, and the own light that was wished for,
 * −1…1 either way. Warmth leaves the brightness of a grey as it is.
 * @param ofPlace none where it is the place of the user's photo
 */
export function gainOfSubject(
  { warmth = 0, brightness = 0 }: Pick<ArrangedSubject, 'warmth' | 'brightness'>,
  ofPlace: Gain = unchanged,
): Gain {
  const tint: Gain = [2 ** (warmth * warmthStops), 1, 2 ** (-warmth * warmthStops)]
  const exposure = 2 ** (brightness * brightnessStops) / luminance(...tint)
  return mapTriple([0, 1, 2], (n) => ofPlace[n]! * tint[n]! * exposure)
}
