import { mapTriple } from '../../image/map-triple.ts'
import { clamp, createRgb } from '../../image/raster.ts'
import type { Plane } from '../../image/raster.ts'
import { samplePlane } from '../../image/sample-plane.ts'
import { releaseMemory } from '../../release-memory.ts'
import { shadowStrength, unchanged } from './blend.ts'
import type { CutOut } from './blend.ts'
import { gainTable } from './blend-inputs.ts'
import { createShadow } from './soft-planes.ts'

/**
 * Lays one cut-out person over another, so that both go on as one: each under their own exposure, with
 * the shadow of the nearer one on the other (Porter and Duff, "Compositing Digital Images", SIGGRAPH
 * 1984, "over"). Colours are made of the rows from `fromRow` up to but not `toRow` only.
 * @returns a cut-out in its final exposure
 */
export function layOver(far: CutOut, near: CutOut, fromRow: number, toRow: number): CutOut {
  const { width, height } = near.alpha
  const alpha = new Uint8Array(width * height)
  for (let i = 0; i < alpha.length; i++) {
    const through = (255 - near.alpha.data[i]!) * (255 - far.alpha.data[i]!)
    alpha[i] = 255 - Math.round(through / 255)
  }
  const image = createRgb(width, height)
  const shadow = createShadow(near)
  const lit = { far: litRow(far), near: litRow(near) }
  for (let y = fromRow; y < toRow; y++) {
    paintRow(lit.far, far, y)
    paintRow(lit.near, near, y)
    mixRow(image.data, { ...lit, shadow, y, width, height })
  }
  releaseMemory(shadow.data)
  return {
    image,
    alpha: { data: alpha, width, height },
    gain: unchanged,
    headSize: near.headSize,
  }
}

/** One row of a person in their light. */
interface LitRow {
  tables: readonly [Float32Array, Float32Array, Float32Array]
  colours: Float32Array
  /** 0…1. */
  alphas: Float32Array
}

function litRow(person: CutOut): LitRow {
  const { width } = person.alpha
  return {
    tables: mapTriple(person.gain, gainTable),
    colours: new Float32Array(width * 3),
    alphas: new Float32Array(width),
  }
}

/** As the kernel that blends paints a person. */
function paintRow(row: LitRow, { image, alpha }: CutOut, y: number): void {
  const { tables, colours, alphas } = row
  const { width } = alpha
  for (let x = 0, i = y * width; x < width; x++, i++) {
    alphas[x] = alpha.data[i]! / 255
    for (let c = 0; c < 3; c++) colours[x * 3 + c] = tables[c]![image.data[i * 3 + c]!]!
  }
}

interface MixedRow {
  far: LitRow
  near: LitRow
  shadow: Plane
  y: number
  width: number
  height: number
}

function mixRow(target: Uint8Array, { far, near, shadow, y, width, height }: MixedRow): void {
  const shadowY = ((y + 0.5) * shadow.height) / height
  for (let x = 0, i = y * width * 3; x < width; x++, i += 3) {
    const nearShare = near.alphas[x]!
    const farShare = (1 - nearShare) * far.alphas[x]!
    const sum = nearShare + farShare
    if (sum === 0) continue
    const dark = farShare > 0 ? samplePlane(shadow, ((x + 0.5) * shadow.width) / width, shadowY) : 0
    const behind = (farShare * (1 - shadowStrength * dark)) / sum
    const before = nearShare / sum
    for (let c = 0; c < 3; c++) {
      const own = nearShare > 0 ? before * near.colours[x * 3 + c]! : 0
      const other = farShare > 0 ? behind * far.colours[x * 3 + c]! : 0
      target[i + c] = clamp(own + other + 0.5, 0, 255)
    }
  }
}
