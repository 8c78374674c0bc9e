import { faceCropSidePx } from '@starside/engine/compositor/faces/crop-face.ts'
import { smoothstep } from '@starside/engine/image/raster.ts'

/**
 * Puts the inner face of one crop into another, eyes and mouth in the same places, with the colours
 * of the other and a soft seam.
 */
export function swapFace(into: Uint8Array, face: Uint8Array): Uint8Array {
  const result = Uint8Array.from(into)
  for (let channel = 0; channel < 3; channel += 1) {
    const [to, from] = [toneOf(into, channel), toneOf(face, channel)]
    for (let n = channel; n < face.length; n += 3) {
      const alpha = alphaAt((n - channel) / 3)
      const moved = (face[n]! - from.mean) * (to.deviation / from.deviation) + to.mean
      result[n] = Math.max(0, Math.min(255, into[n]! * (1 - alpha) + moved * alpha))
    }
  }
  return result
}

/** 1 within an oval about eyes and mouth, 0 at the edge of the face. */
function alphaAt(pixel: number): number {
  const x = (pixel % faceCropSidePx) / faceCropSidePx - 0.5
  const y = Math.floor(pixel / faceCropSidePx) / faceCropSidePx - 0.47
  return 1 - smoothstep(0.8, 1, Math.hypot(x / 0.38, y / 0.45))
}

function toneOf(crop: Uint8Array, channel: number): { mean: number; deviation: number } {
  const levels: number[] = []
  for (let n = channel; n < crop.length; n += 3) {
    if (alphaAt((n - channel) / 3) > 0.5) levels.push(crop[n]!)
  }
  const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length
  const squares = levels.reduce((sum, level) => sum + (level - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / levels.length) }
}
