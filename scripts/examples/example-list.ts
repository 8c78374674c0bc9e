import type { SceneName } from '@starside/contract/scenes.ts'
import { examplePairs } from '@starside/web/ui/example-list.ts'
import type { ExampleName } from '@starside/web/ui/example-list.ts'
import type { shippedPresets } from '../../server/src/stars/presets.ts'

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

/** The results of the landing page; README and share card show them too. */
export const landingPairs: Record<ExampleName, ExamplePair> = examplePairs

/** Where a picture is strong: hair against a background, in fractions of a result. */
export const detail = {
  pair: { person: 'face-3', star: 'kwesi-ansarou', resolution: 'high' },
  crop: { left: 0, top: 0.12, width: 0.42 },
} as const satisfies { pair: ExamplePair; crop: { left: number; top: number; width: number } }

/** The pair that shows what each scene looks like. */
export const scenePair = { person: 'face-1', star: 'henrik-solmark' } as const satisfies ExamplePair
