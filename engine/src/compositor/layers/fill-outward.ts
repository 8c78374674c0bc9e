import { kernels, openArena } from '../../image/kernels.ts'
import { pullPush } from '../../image/pull-push.ts'
import { createPlane } from '../../image/raster.ts'
import { releaseMemory } from '../../release-memory.ts'
import type { Frame } from '../shared-frames.ts'

/** The size at which colours are carried outward, as the kernels have it. */
const shrink = 8

/** Gives pixels without alpha the person's colours, in place, so that filters bring no other. */
export function fillOutward({ image, alpha }: Frame): void {
  const { width, height } = image
  const smallWidth = Math.ceil(width / shrink)
  const smallHeight = Math.ceil(height / shrink)
  const colours = new Float32Array(smallWidth * smallHeight * 4)
  const weight = createPlane(smallWidth, smallHeight)
  forEachBlock({ image, alpha }, (block, squares, start) => {
    kernels.sumPerson(...block, squares.at)
    for (let n = 0, i = start; n < smallWidth; n++, i++) {
      const sum = squares.floats[4 * n + 3]!
      if (sum === 0) continue
      for (let c = 0; c < 3; c++) colours[4 * i + c] = squares.floats[4 * n + c]! / sum
      weight.data[i] = Math.min(1, sum / 255)
    }
  })
  pullPush({ data: colours, width: smallWidth, height: smallHeight }, weight)
  forEachBlock({ image, alpha }, (block, squares, start) => {
    const whole = new Int32Array(squares.floats.buffer, squares.at, squares.floats.length)
    whole.set(colours.subarray(4 * start, 4 * (start + smallWidth)))
    kernels.fillBehind(...block, squares.at)
    return true
  })
  releaseMemory(colours, weight.data)
}

/** Colours, alphas, width and number of rows, as kernels take them. */
type Block = readonly [colours: number, alphas: number, width: number, rows: number]

/**
 * Brings a row of squares after the other into the kernels' memory.
 * @param work is given space for a vector of each square, and the number of the first; true: colours have changed
 */
function forEachBlock(
  { image, alpha }: Frame,
  work: (
    block: Block,
    squares: { at: number; floats: Float32Array },
    start: number,
  ) => boolean | void,
): void {
  const { width, height } = image
  const smallWidth = Math.ceil(width / shrink)
  const arena = openArena()
  const coloursAt = arena.allocate(shrink * width * 3)
  const alphasAt = arena.allocate(shrink * width)
  const at = arena.allocate(smallWidth * 16)
  const floats = arena.floats(at, smallWidth * 4)
  for (let y = 0; y < height; y += shrink) {
    const rows = Math.min(shrink, height - y)
    const own = image.data.subarray(y * width * 3, (y + rows) * width * 3)
    const colours = arena.bytes(coloursAt, own.length)
    colours.set(own)
    arena.bytes(alphasAt, rows * width).set(alpha.data.subarray(y * width, (y + rows) * width))
    const hasChanged = work(
      [coloursAt, alphasAt, width, rows],
      { at, floats },
      (y / shrink) * smallWidth,
    )
    if (hasChanged) own.set(colours)
  }
}
