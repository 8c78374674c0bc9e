import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { editComposite } from '@starside/sandbox/pictures/edit-composite.ts'
import { createEngine } from '../../engine.ts'
import type { NormalisedPhoto } from '../../image-provider.ts'

const engine = createEngine()
afterAll(() => engine.close())

const server = new URL('../../../../server/', import.meta.url)
const photo = async (path: string) => engine.normalise(await readFile(new URL(path, server)))

let composite: NormalisedPhoto
beforeAll(async () => {
  composite = await engine.makeComposite({
    userPhoto: await photo('people/face-1/picture.jpg'),
    stars: [{ photo: await photo('presets/mina-asakuri/picture.jpg') }],
    scene: 'cafe',
    aspect: '4:5',
    resolution: 'standard',
  })
})

const about = {
  headCount: 2,
  mayHaveOthers: false,
  watermarkText: 'starside.example',
  systemVersion: '1.2.3',
  provider: 'openai',
  model: 'm',
}

/** The faces of a finished picture from the left. */
async function facesOf(bytes: Uint8Array, sent: NormalisedPhoto | undefined) {
  const { clean, widthPx, heightPx } = await engine.finishProviderPicture({
    ...about,
    bytes,
    composite: sent,
  })
  return await fromLeft({ ...composite, bytes: clean, widthPx, heightPx })
}

async function fromLeft(shown: NormalisedPhoto) {
  const { faces } = await engine.inspect({ photo: shown })
  const crops = await engine.cropFaces(shown)
  return crops
    .map(({ crop }, index) => ({ crop, x: faces[index]!.x }))
    .toSorted((one, other) => one.x - other.x)
    .map(({ crop }) => crop)
}

/** Mean difference of two crops of a face in parts of their mean, each channel by itself. */
function difference(one: Uint8Array, other: Uint8Array): number {
  const means = [one, other].map((crop) =>
    [0, 1, 2].map(
      (channel) =>
        crop.reduce((sum, value, at) => (at % 3 === channel ? sum + value : sum), 0) /
        (crop.length / 3),
    ),
  )
  const sum = one.reduce(
    (total, value, at) =>
      total + Math.abs(value / means[0]![at % 3]! - other[at]! / means[1]![at % 3]!),
    0,
  )
  return sum / one.length
}

describe('the faces of a composite are put back', () => {
  test.for(['shifted', 'tinted', 'cropped', 'redrawn'] as const)(
    'into a picture that was %s, in its light',
    async (how) => {
      const theirs = await editComposite(Buffer.from(composite.bytes), how)
      const [ours, before, after] = await Promise.all([
        fromLeft(composite),
        facesOf(theirs, undefined),
        facesOf(theirs, composite),
      ])
      for (const [index, crop] of ours.entries()) {
        const [was, is] = [before, after].map((faces) => difference(faces[index]!, crop))
        expect(is).toBeLessThan(how === 'redrawn' ? was! * 0.8 : 0.07)
      }
    },
  )

  test('so that their rim is the picture’s own', async () => {
    const theirs = await editComposite(Buffer.from(composite.bytes), 'tinted')
    const plain = await engine.finishProviderPicture({ ...about, bytes: theirs })
    const put = await engine.finishProviderPicture({ ...about, bytes: theirs, composite })
    const pixels = (jpeg: Uint8Array) => sharp(jpeg).blur(2).raw().toBuffer()
    const [one, other] = await Promise.all([pixels(plain.clean), pixels(put.clean)])
    // A picture that kept the faces stays as it is, but for what was sampled anew.
    const mean = one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length
    expect(mean).toBeLessThan(1)
  })
})

test('a picture whose people hold their heads otherwise is refused', async () => {
  const bytes = await editComposite(Buffer.from(composite.bytes), 'moved')
  await expect(engine.finishProviderPicture({ ...about, bytes, composite })).rejects.toMatchObject({
    name: 'PictureError',
    fault: 'faces_moved',
  })
})
