import type { ReadResult } from '../compositor/thread-messages.ts'
import { headAt } from './test-heads.ts'

const head = headAt(200, 200, 160)

/** What was read of somebody alone in a photo of 400 × 400 pixels, in an even light, for tests. */
export const testReading: ReadResult = {
  refusals: [],
  head,
  heads: [head],
  silhouette: {
    mask: { data: new Uint8Array(1), width: 1, height: 1 },
    maskScale: 400,
    photo: { width: 400, height: 400 },
    top: 100,
    hairLeft: 60,
    hairRight: 60,
    cuts: [],
    seams: [],
  },
  light: {
    sideRatio: 0,
    overhead: 0,
    skin: { median: 0.3, brightest: 0.5, tint: { red: 30, blue: -32 } },
  },
  width: 400,
  height: 400,
}
