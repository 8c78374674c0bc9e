import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { GenerateRequest, NormalisedPhoto } from '../image-provider.ts'
import { normalisePhoto } from '../photo/normalise.ts'
import { createCompositor } from './compositor.ts'
import type { Compositor } from './compositor.ts'

const fixtures = new URL('../../fixtures/', import.meta.url)

const photos = new Map<string, Promise<NormalisedPhoto>>()

/** A shipped star's cut-out, a file of the fixtures, or one of their portraits, read once. */
function photoOf(name: string): Promise<NormalisedPhoto> {
  const photo = photos.get(name) ?? readPhoto(name)
  photos.set(name, photo)
  return photo
}

async function readPhoto(name: string): Promise<NormalisedPhoto> {
  if (name === 'four-in-a-row') return normalisePhoto(await fourInARow())
  const isStar = name.startsWith('star ')
  const preset = new URL(`../../../server/presets/${name.slice(5)}/cutout.avif`, import.meta.url)
  const file = name.includes('.') ? name : `portraits/${name}.avif`
  return normalisePhoto(await readFile(isStar ? preset : new URL(file, fixtures)))
}

/** Four portraits side by side, as of people who sit close together. */
async function fourInARow(): Promise<Uint8Array> {
  const names = ['grey-hair', 'dark-leaves', 'fair-wall', 'bright-window']
  // The AVIF encoder's pixels depend on how many threads it has.
  const threads = sharp.concurrency()
  sharp.concurrency(1)
  const parts = await Promise.all(
    names.map(async (name) => ({
      input: await sharp(await readFile(new URL(`portraits/${name}.avif`, fixtures)))
        .resize(560, 560)
        .extract({ left: 60, top: 0, width: 440, height: 560 })
        .toBuffer(),
      top: 0,
      left: names.indexOf(name) * 440,
    })),
  )
  sharp.concurrency(threads)
  const canvas = { width: 4 * 440, height: 560, channels: 3, background: '#808080' } as const
  return await sharp({ create: canvas }).composite(parts).jpeg({ quality: 95 }).toBuffer()
}

const star = 'star elena-vassandri'

/** The name of each golden picture, its user's photo, its stars', and what else is asked for. */
const pictures: [
  name: string,
  user: string,
  stars: string[],
  more?: Partial<GenerateRequest>,
  place?: string,
][] = [
  ['street', 'user-1.jpg', ['star-zuvia-cutout.webp']],
  ['night', 'user-5.jpg', ['compositor/star-haruven-cutout.png'], { scene: 'city-night' }],
  ['wide', 'user-3.jpg', ['star-olmira.jpg'], { aspect: '16:9' }],
  ['grey-hair-before-a-dark-wall', 'grey-hair', [star]],
  ['white-hair-before-a-dark-wall', 'white-hair', [star]],
  ['back-of-a-chair', 'leather-chair', [star]],
  ['curls-before-leaves', 'curls', [star]],
  ['dark-hair-before-dark-leaves', 'dark-leaves', [star]],
  ['head-as-large-as-the-photo', 'large-head', [star]],
  ['headscarf', 'headscarf', [star]],
  ['patterned-scarf', 'patterned-scarf', [star]],
  ['hard-sun', 'hard-sun', [star]],
  ['hard-sun-by-a-soft-scene', 'hard-sun', [star], { scene: 'home' }],
  ['bright-window', 'bright-window', [star]],
  ['turned-face', 'turned', [star]],
  ['close-selfie', 'close-selfie', [star]],
  ['small-head-of-somebody-who-sits', 'seated', [star]],
  ['small-head-of-somebody-who-stands', 'standing', [star]],
  ['edge-of-a-wall', 'wall-edge', [star], { aspect: '9:16' }],
  ['two-stars', 'fair-wall', [star, 'star kwesi-ansarou']],
  ['place', 'grey-hair', [star], {}, 'hard-sun'],
  ['friend-and-star', 'pair-1.jpg', [star], { userFaceIndexes: [0, 1] }],
  ['one-of-two-who-touch', 'pair-1.jpg', [star], { userFaceIndexes: [1] }],
  ['one-of-four-in-a-row', 'four-in-a-row', [star], { userFaceIndexes: [1] }],
]

/** Levels of 255 that one place may differ by: more is seen by whoever compares. */
const placeDistanceMax = 4
/** The same of each colour's mean over the whole picture. */
const colourDistanceMax = 1

let compositor: Compositor

beforeAll(async () => {
  compositor = await createCompositor()
})

afterAll(() => compositor.close())

it.each(pictures)(
  '%s looks as it did when it was last looked at',
  async (golden, user, stars, more, place) => {
    const made = await compositor.generate({
      userPhoto: await photoOf(user),
      stars: await Promise.all(stars.map(async (name) => ({ photo: await photoOf(name) }))),
      backgroundPhoto: place === undefined ? undefined : await photoOf(place),
      aspect: '4:5',
      resolution: 'standard',
      ...more,
    })
    const small = sharp(made.pixels, {
      raw: { width: made.widthPx, height: made.heightPx, channels: 3 },
    }).resize({ width: made.widthPx / 4 })
    const file = new URL(`compositor/golden-${golden}.jpg`, fixtures)
    if (process.env['UPDATE_GOLDEN']) {
      await writeFile(
        file,
        await small
          .clone()
          .jpeg({ quality: 80, chromaSubsampling: '4:4:4', mozjpeg: true })
          .toBuffer(),
      )
    }
    const [now, then] = [await small.png().toBuffer(), await readFile(file)]
    expect(await farthestPlace(now, then)).toBeLessThan(placeDistanceMax)
    const [ofNow, ofThen] = [await coloursOf(now), await coloursOf(then)]
    for (const [channel, mean] of ofNow.entries()) {
      expect(Math.abs(mean - ofThen[channel]!)).toBeLessThan(colourDistanceMax)
    }
  },
)

/**
 * How far the place that differs most is from the other picture, in levels of brightness: of places as
 * large as an eye or a strand of hair, so that what only noise or an encoder changes doesn't count.
 */
async function farthestPlace(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((bytes) => sharp(bytes).greyscale().blur(3).raw().toBuffer()),
  )
  expect(a!.length).toBe(b!.length)
  let most = 0
  for (let i = 0; i < a!.length; i++) most = Math.max(most, Math.abs(a![i]! - b![i]!))
  return most
}

async function coloursOf(picture: Uint8Array): Promise<number[]> {
  const { channels } = await sharp(picture).stats()
  return channels.slice(0, 3).map(({ mean }) => mean)
}
