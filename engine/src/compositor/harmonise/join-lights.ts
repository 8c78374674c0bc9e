import type { LightMeasure } from './measure-light.ts'

/**
 * The one light in which people of one photo stand: the mean of what their faces tell.
 * @param lights at least one; a single one is given back as it is
 */
export function joinLights(lights: readonly LightMeasure[]): LightMeasure {
  const [first, ...others] = lights
  if (others.length === 0) return first!
  const mean = (valueOf: (light: LightMeasure) => number): number => meanOf(lights.map(valueOf))
  return {
    sclera: known(mean((light) => light.sclera ?? NaN)),
    face: mean((light) => light.face),
    sideRatio: mean((light) => light.sideRatio),
    overhead: mean((light) => light.overhead),
  }
}

function known(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value
}

/** Of those that are known (not NaN); NaN where none is. */
function meanOf(values: readonly number[]): number {
  const seen = values.filter((value) => !Number.isNaN(value))
  return seen.reduce((sum, value) => sum + value, 0) / seen.length
}
