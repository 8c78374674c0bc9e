import { keysOf } from '@starside/contract/keys-of.ts'

/**
 * The pictures that show what Starside makes. `npm run examples` makes them from this list and
 * writes them to `web/public/examples`, so that the pages can address them by name and width.
 */

/** The results of the landing page: of whose photo, and of which star's. */
export const examplePairs = {
  kwesi: { person: 'face-3', star: 'kwesi-ansarou' },
  amara: { person: 'face-5', star: 'amara-okwenna' },
  rafael: { person: 'face-1', star: 'rafael-montoriva' },
  henrik: { person: 'face-2', star: 'henrik-solmark' },
} as const

export type ExampleName = keyof typeof examplePairs
export const exampleNames = keysOf(examplePairs)
/** The best one, which stands at the top of the landing page. */
export const heroExample = 'rafael' satisfies ExampleName

/** Widths in pixels of the files of one picture; all are 4:5. */
export interface FileWidths {
  avif: readonly number[]
  /** For browsers without AVIF. */
  jpeg: number
}

/** Each kind of picture and its widths; the files are `FOLDER/KIND-WIDTH.avif` and `.jpg`. */
export const exampleWidths = {
  you: { avif: [240, 480, 720], jpeg: 240 },
  star: { avif: [240, 480], jpeg: 240 },
  result: { avif: [480, 720, 960], jpeg: 480 },
  detail: { avif: [320, 640], jpeg: 320 },
  scene: { avif: [240], jpeg: 240 },
} as const satisfies Record<string, FileWidths>
export type ExampleKind = keyof typeof exampleWidths
