import type { SampleFace } from '@starside/web/ui/example-list.ts'
import type { shippedPresets } from '../../server/src/stars/presets.ts'

/** Who is in an example picture, and how it is made. */
export interface ExamplePair {
  /** A folder of `server/people`. */
  face: SampleFace
  /** A folder of `server/presets`. */
  star: (typeof shippedPresets)[number]
  resolution?: 'standard' | 'high'
}

/** Where a picture is strong: hair against a background, in fractions of a result. */
export const detail = {
  pair: { face: 'face-6', star: 'orla-brennick', resolution: 'high' },
  crop: { left: 0, top: 0.12, width: 0.42 },
} as const satisfies { pair: ExamplePair; crop: { left: number; top: number; width: number } }
