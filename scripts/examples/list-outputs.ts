import { sceneNames } from '@starside/contract/scenes.ts'
import { exampleWidths } from '@starside/web/ui/example-list.ts'
import type { ExampleKind } from '@starside/web/ui/example-list.ts'
import { encodePictureSet, endingsOf } from './encode-picture-set.ts'
import type { Crop } from './encode-picture-set.ts'
import { detail, landingPairs, scenePair } from './example-list.ts'
import { makeStrip } from './make-strip.ts'
import type { Photographer } from './open-photographer.ts'

/** What is remade together: a picture and the files of it. */
export interface Output {
  /** Paths in the project. */
  files: readonly string[]
  /** @returns the files' bytes in the order of `files` */
  make(photographer: Photographer): Promise<readonly Uint8Array[]>
}

/** Where the pages take the pictures from. */
const picturesFolder = 'web/public/examples'

/** Every picture that shows what the engine makes of photos and cut-outs. */
export function listPictures(): Output[] {
  return [
    ...Object.entries(landingPairs).flatMap(([name, pair]) => [
      pictureSet(name, 'you', (by) => by.readPortrait(pair.person)),
      pictureSet(name, 'star', (by) => by.readPortrait(pair.star)),
      pictureSet(name, 'result', (by) => by.photograph(pair)),
    ]),
    pictureSet('hair', 'detail', (by) => by.photograph(detail.pair), detail.crop),
    ...sceneNames.map((scene) =>
      pictureSet(scene, 'scene', (by) => by.photograph({ ...scenePair, scene })),
    ),
    strip('docs/images/example.jpg', { width: 1280, height: 396 }, 4),
  ]
}

function pictureSet(
  folder: string,
  kind: ExampleKind,
  take: (photographer: Photographer) => Promise<Uint8Array>,
  crop?: Crop,
): Output {
  const widths = exampleWidths[kind]
  return {
    files: endingsOf(widths).map((ending) => `${picturesFolder}/${folder}/${kind}${ending}`),
    make: async (photographer) => encodePictureSet(await take(photographer), widths, crop),
  }
}

/** The first results of the landing page side by side. */
function strip(file: string, size: { width: number; height: number }, count: number): Output {
  const pairs = Object.values(landingPairs).slice(0, count)
  return {
    files: [file],
    async make(photographer) {
      const pictures = []
      for (const pair of pairs) pictures.push(await photographer.photograph(pair))
      return [await makeStrip(pictures, size)]
    },
  }
}
