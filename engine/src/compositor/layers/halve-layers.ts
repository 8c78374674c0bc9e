import { halve } from '../../image/pyramid.ts'
import { createBytePlane } from '../../image/raster.ts'
import type { BytePlane } from '../../image/raster.ts'
import { shareFrame } from '../shared-frames.ts'
import type { Layers, SubjectLayer } from './layers.ts'

/** The same layers at half the size, for small pictures. */
export function halveLayers(layers: Layers): Layers {
  return { ...layers, subjects: layers.subjects.map(halveLayer) }
}

function halveLayer(layer: SubjectLayer): SubjectLayer {
  const { frame, place } = layer
  return {
    ...layer,
    frame: shareFrame({ image: halve(frame.image), alpha: halveAlpha(frame.alpha) }),
    place: { ...place, scale: place.scale / 2 },
  }
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
