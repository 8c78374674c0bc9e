import type { BytePlane } from '../../image/raster.ts'
import type { MattingCard } from './matting-card.ts'

const sidePxMin = 64
const sidePxMax = 2048
/** So much a probability may leave 0…1 by rounding. */
const excessMax = 0.05
/** A matte that is undecided about more of the photo than this is none. */
const undecidedShareMax = 0.5

/**
 * The network's answer as a matte.
 * @throws Error in words for the operator, where the answer is no matte
 */
export function readMattingOutput(
  values: Float32Array,
  dims: readonly number[],
  kind: MattingCard['output']['values'],
): BytePlane {
  const [height = 0, width = 0] = dims.slice(-2)
  const isPlane = dims.length <= 4 && dims.slice(0, -2).every((length) => length === 1)
  const isSized = [width, height].every((side) => side >= sidePxMin && side <= sidePxMax)
  if (!isPlane || !isSized || values.length !== width * height) {
    throw new Error(
      `it answers in the shape [${dims.join(', ')}]; wanted is one plane, [1, 1, height, width]`,
    )
  }
  const data = new Uint8Array(values.length)
  let undecided = 0
  for (let i = 0; i < data.length; i++) {
    const value = kind === 'logit' ? 1 / (1 + Math.exp(-values[i]!)) : values[i]!
    if (!(value >= -excessMax && value <= 1 + excessMax)) {
      throw new Error(
        `it answers ${values[i]} at a point; wanted is 0 to 1, or output.values "logit" in its card`,
      )
    }
    if (value > 0.2 && value < 0.8) undecided++
    data[i] = Math.round(Math.min(1, Math.max(0, value)) * 255)
  }
  if (undecided > data.length * undecidedShareMax) {
    throw new Error('it is undecided about most of the photo')
  }
  return { data, width, height }
}
