import { halve } from '../../image/pyramid.ts'
import { createBytePlane } from '../../image/raster.ts'
import type { BytePlane } from '../../image/raster.ts'
import { releaseMemory } from '../../release-memory.ts'
import { createFrame } from '../shared-frames.ts'
import type { AcquireFrame, Frame } from '../shared-frames.ts'
import type { Layers, SubjectLayer } from './layers.ts'

/**
 * The same layers at half the size, for small pictures.
 * @param acquire gives the frames that they are put into; by default new ones
 */
export function halveLayers(layers: Layers, acquire: AcquireFrame = newFrame): Layers {
  const halveLayer = (layer: SubjectLayer, n: number): SubjectLayer => {
    const { image, alpha } = layer.frame
    const half = { image: halve(image), alpha: halveAlpha(alpha) }
    const frame = acquire(n, half.image.width, half.image.height)
    moveFrame(half, frame)
    return { ...layer, frame, place: { ...layer.place, scale: layer.place.scale / 2 } }
  }
  return { ...layers, subjects: layers.subjects.map(halveLayer) }
}

const newFrame: AcquireFrame = (_, width, height) => createFrame(width, height)

function moveFrame(from: Frame, to: Frame): void {
  to.image.data.set(from.image.data)
  to.alpha.data.set(from.alpha.data)
  releaseMemory(from.image.data, from.alpha.data)
}

/** Means of 2×2 pixels, as colours are halved. */
function halveAlpha({ data, width, height }: BytePlane): BytePlane {
  const half = createBytePlane(width >> 1, height >> 1)
  for (let y = 0, to = 0; y < half.height; y++) {
    let above = 2 * y * width
    let below = above + width
    for (let x = 0; x < half.width; x++, to++, above += 2, below += 2) {
      half.data[to] = (data[above]! + data[above + 1]! + data[below]! + data[below + 1]! + 2) >> 2
    }
  }
  return half
}
