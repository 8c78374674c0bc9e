import { clamp } from '../../image/raster.ts'
import type { RgbImage } from '../../image/raster.ts'
import { judgeExposure } from '../../photo/inspect-photo.ts'
import { gainTable } from '../blend/blend-inputs.ts'
import type { LightMeasure } from './measure-light.ts'

/** A face is made no brighter than this (linear), and by no more stops: dark skin stays dark. */
const brightestMost = 0.4
const stopsMost = 3

/**
 * The gain on linear light that brings a person whose photo is too dark nearer to another's exposure. It is 1 for
 * everybody else: what is matched between ordinary photos isn't believed more, and what is burnt out doesn't come back.
 */
export function exposureGain({ skin }: LightMeasure, { skin: other }: LightMeasure): number {
  if (!judgeExposure(skin).hints.includes('dark_face')) return 1
  const stops = Math.log2(Math.min(other.brightest, brightestMost) / skin.brightest)
  return 2 ** clamp(stops, 0, stopsMost)
}

/** Makes a picture brighter in place, softly towards white. */
export function brighten({ data }: RgbImage, gain: number): void {
  const table = gainTable(gain).map(Math.round)
  for (let i = 0; i < data.length; i++) data[i] = table[data[i]!]!
}
