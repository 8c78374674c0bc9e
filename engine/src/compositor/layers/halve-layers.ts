import { halve } from '../../image/pyramid.ts'
import type { BytePlane } from '../../image/raster.ts'
import { createFrame } from '../shared-frames.ts'
import type { AcquireFrame } from '../shared-frames.ts'
import type { Layers, SubjectLayer } from './layers.ts'

/** The same layers at half the size, for small pictures; `acquire` gives frames, else new ones. */
export function halveLayers(layers: Layers, acquire: AcquireFrame = newFrame): Layers {
  const halveLayer = (layer: SubjectLayer, n: number): SubjectLayer => {
    const { image, alpha } = layer.frame
    const frame = acquire(n, image.width >> 1, image.height >> 1)
    halve(image, frame.image)
    halveAlpha(alpha, frame.alpha)
    return { ...layer, frame, place: { ...layer.place, scale: layer.place.scale / 2 } }
  }
  return { ...layers, subjects: layers.subjects.map(halveLayer) }
}

const newFrame: AcquireFrame = (_, width, height) => createFrame(width, height)

/** Means of 2×2 pixels, as colours are halved. */
function halveAlpha({ data, width }: BytePlane, half: BytePlane): void {
  const { data: means } = half
  for (let y = 0, to = 0; y < half.height; y++) {
    let above = 2 * y * width
    let below = above + width
    for (let x = 0; x < half.width; x++, to++, above += 2, below += 2) {
      means[to] = (data[above]! + data[above + 1]! + data[below]! + data[below + 1]! + 2) >> 2
    }
  }
}
