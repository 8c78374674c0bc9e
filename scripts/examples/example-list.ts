import type { SceneName } from '@starside/contract/scenes.ts'
import type { shippedPresets } from '../../server/src/generation/presets.ts'

/** Who is in an example picture, and how it is made. */
export interface ExamplePair {
  /** A folder of `server/people`. */
  person: (typeof people)[number]
  /** A folder of `server/presets`. */
  star: (typeof shippedPresets)[number]
  scene?: SceneName
  resolution?: 'standard' | 'high'
}

/** The people who stand for users. */
export const people = ['face-1', 'face-2', 'face-3', 'face-4', 'face-5', 'face-6'] as const

/** The results of the landing page, the best first; README and share card show them too. */
export const landingPairs = {
  kwesi: { person: 'face-3', star: 'kwesi-ansarou' },
  amara: { person: 'face-5', star: 'amara-okwenna' },
  rafael: { person: 'face-1', star: 'rafael-montoriva' },
  henrik: { person: 'face-2', star: 'henrik-solmark' },
} as const satisfies Record<string, ExamplePair>

/** Where a picture is strong: hair against a background, in fractions of a result. */
export const detail = {
  pair: { person: 'face-3', star: 'kwesi-ansarou', resolution: 'high' },
  crop: { left: 0, top: 0.12, width: 0.42 },
} as const satisfies { pair: ExamplePair; crop: { left: number; top: number; width: number } }

/** The pair that shows what each scene looks like. */
export const scenePair = { person: 'face-1', star: 'henrik-solmark' } as const satisfies ExamplePair

/** Widths in pixels of the files of one picture; all are 4:5. */
export interface FileWidths {
  avif: readonly number[]
  /** For browsers without AVIF. */
  jpeg: number
}
export const portraitWidths: FileWidths = { avif: [240, 480], jpeg: 320 }
export const resultWidths: FileWidths = { avif: [480, 960], jpeg: 720 }
export const detailWidths: FileWidths = { avif: [320, 640], jpeg: 480 }
export const sceneWidths: FileWidths = { avif: [240], jpeg: 240 }
