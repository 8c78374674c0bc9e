import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { keysOf } from '@starside/contract/keys-of.ts'
import { sceneNames } from '@starside/contract/scenes.ts'
import {
  bestPairs,
  exampleWidths,
  firstPair,
  pairFolder,
  sampleFaces,
  sampleStars,
} from '@starside/web/ui/example-list.ts'
import type { ExampleKind } from '@starside/web/ui/example-list.ts'
import { projectFolder } from '../project-folder.js'
import { encodePictureSet, endingsOf } from './encode-picture-set.ts'
import type { Crop } from './encode-picture-set.ts'
import { detail } from './example-list.ts'
import type { Photographer } from './open-photographer.ts'

/** What is remade together: a picture and the files of it. */
export interface Output {
  /** Paths in the project. */
  files: readonly string[]
  /** @returns the files' bytes in the order of `files` */
  make(photographer: Photographer): Promise<readonly Uint8Array[]>
}

/** Of a portrait, so that a face can be seen in a small picture. */
const headAndShoulders: Crop = { left: 0.14, top: 0.03, width: 0.72 }

/** Where the pages take the pictures from. */
const picturesFolder = 'web/public/examples'

/** Every picture that shows what the engine makes of photos and cut-outs. */
export function listPictures(): Output[] {
  const stars = keysOf(sampleStars)
  const pairs = sampleFaces.flatMap((face) => stars.map((star) => ({ face, star })))
  return [
    ...[...sampleFaces, ...stars].map((id) =>
      pictureSet(id, 'portrait', (by) => by.readPortrait(id), headAndShoulders),
    ),
    ...pairs.map((pair) => pictureSet(pairFolder(pair), 'result', (by) => by.photograph(pair))),
    pictureSet(pairFolder(firstPair), 'first', (by) => by.photograph(firstPair)),
    pictureSet('hair', 'detail', (by) => by.photograph(detail.pair), detail.crop),
    ...sceneNames
      .filter((scene) => scene !== 'own')
      .map((scene) =>
        pictureSet(scene, 'backdrop', () =>
          readFile(`${projectFolder}/engine/scenes/${scene}-1.avif`),
        ),
      ),
    strip('docs/images/example.jpg', { width: 1280, height: 396 }),
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

/** The best pairs side by side. */
function strip(file: string, size: { width: number; height: number }): Output {
  return {
    files: [file],
    async make(photographer) {
      const pictures = []
      for (const pair of bestPairs) pictures.push(await photographer.photograph(pair))
      return [await makeStrip(pictures, size)]
    },
  }
}

/** A JPEG of pictures side by side with gaps, each cropped to its share of `size` (pixels). */
async function makeStrip(
  pictures: readonly Uint8Array[],
  size: { width: number; height: number },
): Promise<Uint8Array> {
  const gap = 8
  const width = Math.floor((size.width - gap * (pictures.length - 1)) / pictures.length)
  const parts = await Promise.all(
    pictures.map(async (picture, index) => ({
      input: await sharp(picture).resize(width, size.height, { fit: 'cover' }).png().toBuffer(),
      left: index * (width + gap),
      top: 0,
    })),
  )
  return await sharp({ create: { ...size, channels: 3, background: '#ffffff' } })
    .composite(parts)
    .jpeg({ quality: 72, mozjpeg: true })
    .toBuffer()
}
