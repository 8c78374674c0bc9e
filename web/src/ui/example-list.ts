import pictures from './example-pictures.json' with { type: 'json' }

/** Pictures of what Starside makes, by name and width; `npm run examples` makes the files. */

/** Whose faces can be tried on the landing page: folders of `server/people`. */
export const sampleFaces = ['face-1', 'face-2', 'face-3', 'face-4', 'face-5', 'face-6'] as const
export type SampleFace = (typeof sampleFaces)[number]

/** Beside which stars: folders of `server/presets`, and the stars' names. */
export const sampleStars = pictures.stars

/** A sample face and the star beside it. */
export type SamplePair = { face: SampleFace; star: keyof typeof sampleStars }

/** The pair that the landing page shows first. */
export const firstPair: SamplePair = { face: 'face-1', star: 'henrik-solmark' }

/** The best pairs: README, share card and sign-in show them. */
export const bestPairs = pictures.bestPairs as readonly SamplePair[]

/** Where the picture of the two lies. */
export const pairFolder = ({ face, star }: SamplePair): string => `${face}/${star}`

/** Widths in pixels of the files of one picture; all are 4:5. */
export interface FileWidths {
  avif: readonly number[]
  /** For browsers without AVIF, where there is such a file. */
  jpeg?: number
  /** Of the AVIF files, 1 to 100; the usual one where nothing is said. */
  quality?: number
}

/** Each kind of picture and its widths; the files are `FOLDER/KIND-WIDTH.avif` and `.jpg`. */
export const exampleWidths = pictures.widths satisfies Record<string, FileWidths>
export type ExampleKind = keyof typeof exampleWidths

/** Address of the smallest file of an example picture in AVIF. */
export const exampleSrc = (folder: string, kind: ExampleKind): string =>
  `/examples/${folder}/${kind}-${exampleWidths[kind].avif[0]}.avif`
