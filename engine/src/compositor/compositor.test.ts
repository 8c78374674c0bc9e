import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generationStages } from '../image-provider.ts'
import type { GenerateRequest, NormalisedPhoto } from '../image-provider.ts'
import { normalisePhoto } from '../photo/normalise.ts'
import { PhotoError } from '../photo/photo-error.ts'
import { createCompositor } from './compositor.ts'
import { readLayers } from './layers/read-layers.ts'
import type { SmallVariation } from './variations/sheet-pictures.ts'
import type { Compositor } from './compositor.ts'

const fixtures = new URL('../../fixtures/', import.meta.url)

async function fixture(name: string): Promise<NormalisedPhoto> {
  return normalisePhoto(await readFile(new URL(name, fixtures)))
}

/** An edited copy of a fixture. */
async function edited(
  name: string,
  edit: (image: ReturnType<typeof sharp>) => ReturnType<typeof sharp>,
): Promise<NormalisedPhoto> {
  const upright = await sharp(await readFile(new URL(name, fixtures)))
    .autoOrient()
    .toBuffer()
  return normalisePhoto(await edit(sharp(upright)).jpeg({ quality: 92 }).toBuffer())
}

let compositor: Compositor

const blueMiddle = { width: 600, height: 600, channels: 3, background: '#2020c0' } as const

beforeAll(async () => {
  compositor = await createCompositor()
})

afterAll(() => compositor.close())

function request(
  userPhoto: NormalisedPhoto,
  starPhoto: NormalisedPhoto,
  more: Partial<GenerateRequest> = {},
): GenerateRequest {
  return {
    userPhoto,
    stars: [{ photo: starPhoto }],
    aspect: '4:5',
    resolution: 'standard',
    ...more,
  }
}

describe('inspection', () => {
  it('finds the one face and refuses nothing', async () => {
    const { faces, refusals } = await compositor.inspect(await fixture('user-1.jpg'))
    expect(refusals).toEqual([])
    expect(faces).toHaveLength(1)
    expect(faces[0]!.isMain).toBe(true)
    expect(faces[0]!.x + faces[0]!.width / 2).toBeGreaterThan(0.4)
    expect(faces[0]!.x + faces[0]!.width / 2).toBeLessThan(0.6)
  })

  it('finds both faces of a pair and says so', async () => {
    const { faces, hints, refusals } = await compositor.inspect(await fixture('pair-1.jpg'))
    expect(faces).toHaveLength(2)
    expect(faces.filter((face) => face.isMain)).toHaveLength(1)
    expect(hints).toContain('several_faces')
    expect(refusals).toEqual([])
  })

  it.each([
    [
      'no face',
      'face_missing',
      (image) =>
        image
          .resize(600)
          .extract({ left: 0, top: 0, width: 500, height: 170 })
          .extend({ top: 160, bottom: 160, background: '#79a' }),
    ],
    [
      'a face cut at the chin',
      'face_cut',
      (image) => image.resize(600, 800).extract({ left: 0, top: 0, width: 600, height: 475 }),
    ],
    [
      'a face of a few pixels',
      'face_too_small',
      (image) =>
        image
          .resize(120)
          .extend({ top: 200, bottom: 300, left: 300, right: 300, background: '#aab' }),
    ],
    [
      'a face far away',
      'face_too_small',
      (image) =>
        image
          .resize(90)
          .extend({ top: 900, bottom: 700, left: 900, right: 800, background: '#aab' }),
    ],
    ['a blurred face', 'photo_blurred', (image) => image.resize(600).blur(9)],
    ['a nearly black face', 'face_too_dark', (image) => image.resize(600).linear(0.1, 0)],
    ['a burnt-out face', 'face_too_bright', (image) => image.resize(600).linear(4, 0)],
  ] satisfies [string, string, (image: ReturnType<typeof sharp>) => ReturnType<typeof sharp>][])(
    'refuses %s with %s',
    async (_, refusal, edit) => {
      const { refusals } = await compositor.inspect(await edited('user-1.jpg', edit))
      expect(refusals).toContain(refusal)
    },
  )

  it('finds no photo dark because of the skin in it, and a darkened one whatever the skin', async () => {
    const dark = 'portraits/large-head.avif'
    expect((await compositor.inspect(await fixture(dark))).hints).not.toContain('dark_face')
    for (const name of [dark, 'user-2.jpg']) {
      const photo = await edited(name, (image) => image.linear(0.4, 0))
      expect((await compositor.inspect(photo)).hints).toContain('dark_face')
    }
  })

  it('finds a face that is turned upside down', async () => {
    const { faces } = await compositor.inspect(
      await edited('user-2.jpg', (image) => image.resize(700).rotate(180)),
    )
    expect(faces).toHaveLength(1)
  })
})

describe('a picture', () => {
  it('is as tall as a story where both bodies carry it', async () => {
    const photos = [await fixture('user-1.jpg'), await fixture('star-zuvia-cutout.webp')] as const
    const made = await compositor.generate(request(...photos, { aspect: '9:16', scene: 'cafe' }))
    expect([made.widthPx, made.heightPx]).toEqual([864, 1536])
  })

  it('keeps colours of the exact matte and tells who made it', async () => {
    const made = await compositor.generate(
      request(await fixture('user-1.jpg'), await fixture('star-zuvia-cutout.webp'), {
        aspect: '1:1',
      }),
    )
    expect(made.provider).toBe('compositor')
    expect([made.widthPx, made.heightPx]).toEqual([1152, 1152])
    expect(made.pixels).toHaveLength(1152 * 1152 * 3)
  })

  it('of the same photos is the same picture', async () => {
    const photos = [await fixture('user-4.jpg'), await fixture('star-zuvia-cutout.webp')] as const
    const one = await compositor.generate(request(...photos))
    const other = await compositor.generate(request(...photos))
    expect(Buffer.from(one.pixels).equals(Buffer.from(other.pixels))).toBe(true)
  })

  it('brings somebody photographed in the dark nearer to the light of the star', async () => {
    const dark = await edited('user-1.jpg', (image) => image.resize(900).linear(0.35, 0))
    const made = await compositor.generate(request(dark, await fixture('star-zuvia-cutout.webp')))
    const seen = await asPhoto(made.pixels, made.widthPx, made.heightPx)
    const { faces } = await compositor.inspect(seen)
    expect(faces).toHaveLength(2)
    for (const { hints } of faces) expect(hints).not.toContain('dark_face')
  })

  it('of a photo that lies on its side shows the person upright', async () => {
    const turned = await edited('user-2.jpg', (image) => image.resize(900).rotate(90))
    const made = await compositor.generate(
      request(turned, await fixture('compositor/star-haruven-cutout.png')),
    )
    const { faces } = await compositor.inspect(
      await asPhoto(made.pixels, made.widthPx, made.heightPx),
    )
    expect(faces).toHaveLength(2)
  })

  it('can be made of another face than the main one', async () => {
    const pair = await fixture('pair-1.jpg')
    const star = await fixture('compositor/star-haruven-cutout.png')
    const main = await compositor.generate(request(pair, star))
    const other = await compositor.generate(request(pair, star, { userFaceIndexes: [1] }))
    expect(Buffer.from(main.pixels).equals(Buffer.from(other.pixels))).toBe(false)
  })

  it('keeps both people of a photo together beside a star', async () => {
    const pair = await fixture('pair-1.jpg')
    const star = await fixture('star-zuvia-cutout.webp')
    const made = await compositor.generate(request(pair, star, { userFaceIndexes: [0, 1] }))
    const { faces } = await compositor.inspect(
      await asPhoto(made.pixels, made.widthPx, made.heightPx),
    )
    expect(faces).toHaveLength(3)
  })

  it('has room for a second star', async () => {
    const user = await fixture('user-1.jpg')
    const stars = [
      { photo: await fixture('star-zuvia-cutout.webp') },
      { photo: await fixture('user-4.jpg') },
    ]
    const made = await compositor.generate({ ...request(user, user), stars })
    const { faces } = await compositor.inspect(
      await asPhoto(made.pixels, made.widthPx, made.heightPx),
    )
    expect(faces).toHaveLength(3)
  })

  it('before the photo of a place shows its middle, and can be drawn again from its layers', async () => {
    const place = await sharp({
      create: { width: 1200, height: 600, channels: 3, background: '#c02020' },
    })
      .composite([{ input: { create: blueMiddle }, left: 300, top: 0 }])
      .jpeg()
      .toBuffer()
    const photos = [await fixture('user-1.jpg'), await fixture('star-zuvia-cutout.webp')] as const
    const asked = request(...photos, { backgroundPhoto: await normalisePhoto(place) })
    const { variations } = compositor
    const sheet = await variations.makeSheet(asked, 1, true)
    const [{ arrangement }] = (await sheet.variations) as [SmallVariation]
    const layers = await readLayers((await sheet.layers)!)
    const again = await variations.draw(layers, arrangement, 'standard')
    for (const { pixels, widthPx } of [sheet.best, again]) {
      const corner = pixels.subarray(20 * widthPx * 3 + 60, 20 * widthPx * 3 + 63)
      expect(corner[2]).toBeGreaterThan(corner[0]! + 60)
    }
  })

  it('is refused where the photo lacks one of the faces', async () => {
    const [user, star] = [await fixture('user-1.jpg'), await fixture('star-zuvia-cutout.webp')]
    await expect(
      compositor.generate(request(user, star, { userFaceIndexes: [0, 3] })),
    ).rejects.toMatchObject({ code: 'face_missing', photo: 'user' })
  })

  it('is refused with the photo that has no face', async () => {
    const user = await fixture('user-1.jpg')
    const wall = await asPhoto(new Uint8Array(600 * 600 * 3).fill(120), 600, 600)
    await expect(compositor.generate(request(user, wall))).rejects.toMatchObject({
      code: 'face_missing',
      photo: 'star',
    })
    await expect(compositor.generate(request(wall, user))).rejects.toBeInstanceOf(PhotoError)
  })

  it('reports the stages of the contract in their order', async () => {
    const stages: string[] = []
    await compositor.generate(
      request(await fixture('user-1.jpg'), await fixture('star-zuvia-cutout.webp'), {
        onStage: (stage) => stages.push(stage),
      }),
    )
    const others = new Set<string>(['queued', 'finish', 'done'])
    expect(stages).toEqual(generationStages.filter((stage) => !others.has(stage)))
  })

  it('stops with the reason of the signal, and the next one is made', async () => {
    const photos = [await fixture('user-1.jpg'), await fixture('star-zuvia-cutout.webp')] as const
    const controller = new AbortController()
    const reason = new Error('the user went away')
    const made = compositor.generate(
      request(...photos, {
        signal: controller.signal,
        onStage: (stage) => {
          if (stage === 'faces') queueMicrotask(() => controller.abort(reason))
        },
      }),
    )
    await expect(made).rejects.toBe(reason)
    await expect(compositor.generate(request(...photos))).resolves.toBeDefined()
  })
})

async function asPhoto(
  pixels: Uint8Array,
  width: number,
  height: number,
): Promise<NormalisedPhoto> {
  return normalisePhoto(
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg()
      .toBuffer(),
  )
}
