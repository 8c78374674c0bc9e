import type { LightMeasure } from './measure-light.ts'

/**
 * The one light in which people of one photo stand: the mean of what their faces tell.
 * @param lights at least one; a single one is given back as it is
 */
export function joinLights(lights: readonly LightMeasure[]): LightMeasure {
  const [first, ...others] = lights
  if (others.length === 0) return first!
  const mean = (valueOf: (light: LightMeasure) => number): number => meanOf(lights.map(valueOf))
  const whites = triple((c) => mean((light) => light.scleraColour?.[c] ?? NaN))
  return {
    sclera: known(mean((light) => light.sclera ?? NaN)),
    scleraColour: whites.some(Number.isNaN) ? undefined : whites,
    face: mean((light) => light.face),
    skinColour: triple((c) => mean((light) => light.skinColour[c])),
    sideRatio: mean((light) => light.sideRatio),
    contrast: mean((light) => light.contrast),
    saturation: mean((light) => light.saturation),
    black: mean((light) => light.black),
    behind: mean((light) => light.behind),
    overhead: mean((light) => light.overhead),
  }
}

function known(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value
}

function triple(valueOf: (channel: 0 | 1 | 2) => number): readonly [number, number, number] {
  return [valueOf(0), valueOf(1), valueOf(2)]
}

/** Of those that are known (not NaN); NaN where none is. */
function meanOf(values: readonly number[]): number {
  const seen = values.filter((value) => !Number.isNaN(value))
  return seen.reduce((sum, value) => sum + value, 0) / seen.length
}
