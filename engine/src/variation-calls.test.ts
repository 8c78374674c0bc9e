import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LayersError } from './compositor/layers/layers-error.ts'
import { readLayers } from './compositor/layers/read-layers.ts'
import { createPictureLane } from './compositor/picture-lane.ts'
import { arrangementDistance } from './compositor/variations/arrangement-distance.ts'
import { distanceMin } from './compositor/variations/choose-variations.ts'
import { createVariationsOfLayers } from './compositor/variations/variations-of-layers.ts'
import { createEngine } from './engine.ts'
import type { Engine, Selfie, SelfieInput, Sheet } from './engine-calls.ts'
import { layOutWatermark } from './finish/watermark.ts'

const fixtures = new URL('../fixtures/', import.meta.url)
const finishing = { watermarkText: 'starside.example', systemVersion: '1.2.3' }

let engine: Engine
let input: SelfieInput
let selfie: Selfie
let sheet: Sheet

beforeAll(async () => {
  engine = createEngine()
  const read = async (name: string) =>
    await engine.normalise(await readFile(new URL(name, fixtures)))
  input = {
    userPhoto: await read('user-4.jpg'),
    stars: [{ photo: await read('star-zuvia-cutout.webp') }],
    aspect: '4:5',
    resolution: 'standard',
    ...finishing,
  }
  selfie = await engine.makeSelfie(input)
  sheet = await engine.makeSheet({ ...input, variationsMax: 6, keepLayers: true })
})

afterAll(() => engine.close())

describe('a sheet', () => {
  test('has as its best picture the one that a selfie would be', async () => {
    expect([sheet.best.widthPx, sheet.best.heightPx]).toEqual([selfie.widthPx, selfie.heightPx])
    expect(sheet.best.provider).toBe('compositor')
    expect(await eyeDistance(sheet.best.clean, selfie.clean)).toBeLessThan(2.5)
  })

  test('begins with the best and has further variations that differ from all others', () => {
    const [best] = sheet.variations
    expect(best!.quality).toBe(1)
    expect(sheet.variations.length).toBeLessThanOrEqual(6)
    const usual = sheet.variations.filter(({ arrangement: { look } }) => look === 'warm')
    expect(usual.length).toBeGreaterThanOrEqual(3)
    for (const [n, one] of usual.entries()) {
      expect(one.quality).toBeLessThanOrEqual(1)
      for (const other of usual.slice(n + 1)) {
        expect(arrangementDistance(one.arrangement, other.arrangement)).toBeGreaterThanOrEqual(
          distanceMin,
        )
      }
    }
  })

  test('shows its best arrangement in warm colours, in black and white second, natural last', async () => {
    const [best, second] = sheet.variations
    const last = sheet.variations.at(-1)
    expect(second!.arrangement).toEqual({ ...best!.arrangement, look: 'black-and-white' })
    expect(last.arrangement).toEqual({ ...best!.arrangement, look: 'natural' })
    expect(best!.arrangement.look).toBe('warm')
    expect(await colourOf(second!.clean)).toBeLessThan(6)
    expect(await colourOf(best!.clean)).toBeGreaterThan(25)
    expect(await eyeDistance(best!.clean, last.clean)).toBeGreaterThan(4)
  })

  test('is developed in the look that was wished for, and shows colour beside black and white', async () => {
    const look = 'black-and-white'
    const grey = await engine.makeSheet({ ...input, look, variationsMax: 4, keepLayers: false })
    const looks = grey.variations.map(({ arrangement }) => arrangement.look)
    expect(looks).toEqual([look, 'warm', look, 'natural'])
    expect(await colourOf(grey.best.clean)).toBeLessThan(6)
    expect(await eyeDistance(grey.variations[0]!.clean, grey.best.clean)).toBeLessThan(2.5)
  })

  test('has small pictures with provenance, with and without the brand mark', async () => {
    for (const { clean, watermarked, widthPx, heightPx } of sheet.variations) {
      expect(Math.max(widthPx, heightPx)).toBe(512)
      const { width, height, xmp } = await sharp(clean).metadata()
      expect([width, height]).toEqual([widthPx, heightPx])
      expect(xmp?.toString()).toContain('compositeWithTrainedAlgorithmicMedia')
      expect(await eyeDistance(clean, watermarked)).toBeGreaterThan(0)
    }
  })

  test('begins with the best picture made smaller', async () => {
    // Grain is as fine in a small picture as in a large one, so it is compared without.
    const request = { ...input, look: 'natural', variationsMax: 1, keepLayers: false } as const
    const { best, variations } = await engine.makeSheet(request)
    expect(await eyeDistance(variations[0]!.clean, best.clean)).toBeLessThan(1)
  })

  test('has other formats beside the wanted one, unless all are to have that', async () => {
    const formatsOf = ({ variations }: Sheet) =>
      new Set(variations.map(({ arrangement }) => arrangement.aspect))
    expect(formatsOf(sheet).size).toBeGreaterThan(1)
    const rest = { variationsMax: 6, keepLayers: false, keepsAspect: true }
    expect([...formatsOf(await engine.makeSheet({ ...input, ...rest }))]).toEqual(['4:5'])
  })

  test('keeps layers only where they are asked for', async () => {
    expect(sheet.layers!.length).toBeLessThan(1_300_000)
    const bare = await engine.makeSheet({ ...input, variationsMax: 1, keepLayers: false })
    expect(bare.layers).toBeUndefined()
    expect(bare.variations).toHaveLength(1)
  })
})

/** What stands in the white frame's lower border. */
async function belowPicture({
  clean,
  widthPx,
  heightPx,
}: Pick<Selfie, 'clean' | 'widthPx' | 'heightPx'>) {
  const below = { left: 0, top: heightPx - 180, width: widthPx, height: 140 }
  // The statistics of sharp are those of its input.
  return sharp(await sharp(clean).extract(below).png().toBuffer()).stats()
}

describe('kept layers', () => {
  test('give the best picture again', async () => {
    const { arrangement } = sheet.variations[0]!
    const again = await render({ arrangement })
    expect(again.visibleCut).toBeLessThan(0.1)
    expect(await eyeDistance(again.clean, sheet.best.clean)).toBeLessThan(1)
  })

  test('give a preview that looks like the picture', async () => {
    const { arrangement } = sheet.variations[1]!
    const preview = await show({ arrangement })
    const picture = await render({ arrangement })
    expect(Math.max(preview.widthPx, preview.heightPx)).toBe(512)
    expect(await eyeDistance(preview.jpeg, picture.clean)).toBeLessThan(2.5)
  })

  test.each(['4:5', '16:9', '9:16'] as const)(
    'give a preview whose brand mark takes its share of the saved picture in %s',
    async (aspect) => {
      const arrangement = { ...sheet.variations[0]!.arrangement, aspect }
      const { watermarkText } = finishing
      const { markBox } = await show({ arrangement, watermarkText })
      const { widthPx, heightPx } = await render({ arrangement })
      const mark = layOutWatermark(widthPx, heightPx, watermarkText)
      expect(markBox!.width).toBeCloseTo(mark.widthPx / widthPx, 1.5)
      expect(markBox!.height).toBeCloseTo(mark.heightPx / heightPx, 1.5)
    },
  )

  test('are developed in a look, with a frame and a caption', async () => {
    const { arrangement } = sheet.variations[0]!
    const grey = await render({ arrangement: { ...arrangement, look: 'black-and-white' } })
    expect(await colourOf(grey.clean)).toBeLessThan(6)
    const again = await render({ arrangement: { ...arrangement, look: 'black-and-white' } })
    expect(Buffer.compare(grey.clean, again.clean)).toBe(0)
    // Quotes as phones write them, and an accent as a sign of its own.
    const caption = '¡Hola, “Zoe\u0301”! It’s — 5 €'
    const framed = await render({ arrangement: { ...arrangement, look: 'instant', caption } })
    expect(framed.widthPx).toBeGreaterThan(selfie.widthPx)
    expect(framed.heightPx - selfie.heightPx).toBeGreaterThan(framed.widthPx - selfie.widthPx)
    const { channels: inked } = await belowPicture(framed)
    expect(inked[0]!.max).toBeGreaterThan(240)
    expect(inked[0]!.min).toBeLessThan(80)
  })

  test('write Chinese captions, beside Latin letters and with their own signs', async () => {
    const { arrangement } = sheet.variations[0]!
    const inkOf = async (caption: string) => {
      const framed = await render({ arrangement: { ...arrangement, look: 'instant', caption } })
      return 255 - (await belowPicture(framed)).channels[0]!.mean
    }
    const none = await inkOf('')
    const [han, mixed] = [await inkOf('我们俩，2026！'), await inkOf('Zoë 和我们俩，2026！')]
    expect(han).toBeGreaterThan(none + 1)
    expect(mixed).toBeGreaterThan(han)
  })

  test.each(['👋', 'Привет', '我\u{20000}'])(
    'refuse a caption with letters that have no outlines: %s',
    async (caption) => {
      const { arrangement } = sheet.variations[0]!
      const written = { ...arrangement, look: 'instant', caption } as const
      await expect(render({ arrangement: written })).rejects.toEqual(
        new LayersError('caption_unreadable'),
      )
    },
  )

  test('mirror and turn a person, and tell what of a border shows', async () => {
    const { arrangement } = sheet.variations[0]!
    const [user, star] = arrangement.subjects
    const mirrored = { ...star!, mirrored: !star!.mirrored, turnDegrees: 10 }
    const moved = { ...arrangement, subjects: [{ ...user!, y: user!.y - 0.5 }, mirrored] }
    const picture = await render({ arrangement: moved })
    expect(picture.visibleCut).toBeGreaterThan(0.3)
  })

  test.each(['own', 'forest'] as const)(
    'leave the place as it was when people are flipped, however they are turned: %s',
    async (scene) => {
      const { arrangement } = sheet.variations[0]!
      const stand = async (mirrored: boolean) => {
        const subjects = arrangement.subjects.map((subject) => ({
          ...subject,
          mirrored,
          turnDegrees: 12,
        }))
        const changed = { arrangement: { ...arrangement, scene, subjects } }
        return [await show(changed), await render(changed)] as const
      }
      const [[shown, saved], [shownBefore, savedBefore]] = [await stand(true), await stand(false)]
      expect(await eyeDistance(shown.jpeg, shownBefore.jpeg), 'they are flipped').toBeGreaterThan(3)
      expect(Buffer.compare(shown.behind, shownBefore.behind)).toBe(0)
      const above = async ({ clean, widthPx: width }: Selfie) => {
        const strip = { left: 0, top: 0, width, height: 40 }
        return await sharp(clean).extract(strip).png().toBuffer()
      }
      expect(await eyeDistance(await above(saved), await above(savedBefore))).toBeLessThan(0.5)
    },
  )

  test('of two who stay together tell both heads, and leave the place when both are flipped about their middle', async () => {
    const userPhoto = await engine.normalise(await readFile(new URL('pair-1.jpg', fixtures)))
    const together = { ...input, userPhoto, userFaceIndexes: [0, 1], aspect: '1:1' } as const
    const { layers, variations } = await engine.makeSheet({
      ...together,
      variationsMax: 1,
      keepLayers: true,
    })
    const arrangement = { ...variations[0]!.arrangement, scene: 'own' } as const
    const [pair, star] = arrangement.subjects
    const stand = (change: Partial<typeof pair>) => {
      const subjects = [{ ...pair!, turnDegrees: 0, ...change }, star!]
      return show({ arrangement: { ...arrangement, subjects }, layers: layers!, withPeople: true })
    }
    const shown = await stand({})
    const { heads, box, uprightDegrees } = shown.people![0]!
    expect(shown.people!.map((person) => person.heads.length)).toEqual([2, 1])
    const [one, other] = heads
    // In sizes of the first from its middle.
    const reach = heads.map(({ x, y, size }) => {
      return { x: (x - one!.x) / one!.size, y: (y - one!.y) / one!.size, size: size / one!.size }
    })
    expect(box.left, 'the box goes round all of both').toBeLessThanOrEqual(
      Math.min(...reach.map(({ x, size }) => x - 0.6 * size)),
    )
    expect(box.right).toBeGreaterThanOrEqual(
      Math.max(...reach.map(({ x, size }) => x + 0.6 * size)),
    )
    expect(box.top).toBeLessThan(Math.min(...reach.map(({ y, size }) => y - 0.5 * size)))
    expect(box.bottom, 'down their bodies').toBeGreaterThan(
      Math.max(...reach.map(({ y, size }) => y + size)),
    )
    // From the first head to the other in the picture, in parts of its width.
    const turn = (uprightDegrees * Math.PI) / 180
    const [dx, dy] = [other!.x - one!.x, other!.y - one!.y]
    const along = ((dx * Math.cos(turn) - dy * Math.sin(turn)) * pair!.size) / one!.size
    expect(Math.abs(along), 'the other stands beside the first').toBeGreaterThan(pair!.size / 2)
    const aside = pair!.mirrored ? -along : along
    const flipped = await stand({ mirrored: !pair!.mirrored, x: pair!.x + aside })
    expect(await eyeDistance(flipped.jpeg, shown.jpeg), 'they are flipped').toBeGreaterThan(3)
    expect(await eyeDistance(flipped.behind, shown.behind)).toBeLessThan(0.5)
    const unmoved = await stand({ mirrored: !pair!.mirrored })
    expect(await eyeDistance(unmoved.behind, shown.behind), 'about one head').toBeGreaterThan(2)
  })

  test('are retouched by a brush, at full size as in a preview, also mirrored', async () => {
    const { arrangement } = sheet.variations[0]!
    const [user, star] = arrangement.subjects
    const points = [{ x: 0, y: 0 }]
    const retouch = [{ kind: 'erase', size: 0.8, softness: 0, points }] as const
    for (const mirrored of [false, true]) {
      const subjects = [
        { ...user!, y: -0.5 },
        { ...star!, mirrored, retouch: [...retouch] },
      ]
      const erased = { ...arrangement, subjects, frontToBack: [1, 0] }
      const [picture, preview] = [
        await render({ arrangement: erased }),
        await show({ arrangement: erased }),
      ]
      const face = async (bytes: Uint8Array, widthPx: number, heightPx: number) => {
        const side = Math.round(star!.size * heightPx * 0.4)
        const left = Math.round(star!.x * widthPx - side / 2)
        const top = Math.round(star!.y * heightPx - side / 2)
        return await sharp(bytes).extract({ left, top, width: side, height: side }).png().toBuffer()
      }
      const behind = await face(preview.behind, preview.widthPx, preview.heightPx)
      const small = await face(preview.jpeg, preview.widthPx, preview.heightPx)
      const large = await face(picture.clean, picture.widthPx, picture.heightPx)
      // People darken what is behind them a little.
      expect(await eyeDistance(small, behind)).toBeLessThan(30)
      expect(await eyeDistance(large, small)).toBeLessThan(6)
      const there = await show({
        arrangement: { ...erased, subjects: [subjects[0]!, { ...star!, mirrored }] },
      })
      const shown = await face(there.jpeg, there.widthPx, there.heightPx)
      expect(await eyeDistance(shown, small), 'the face was there').toBeGreaterThan(35)
    }
  })

  test('give other variations than those that are there', async () => {
    const except = sheet.variations.map(({ arrangement }) => arrangement)
    const { variations } = await engine.moreVariations({
      ...finishing,
      layers: sheet.layers!,
      except,
      variationsMax: 2,
    })
    expect(variations.length).toBeGreaterThan(0)
    for (const { arrangement } of variations) {
      for (const one of except) {
        const least = one.scene === arrangement.scene ? distanceMin : 0.75
        expect(arrangementDistance(one, arrangement)).toBeGreaterThanOrEqual(least)
      }
    }
  })

  test('are not drawn for a preview that was given up before its turn', async () => {
    const layers = await readLayers(sheet.layers!)
    const { arrangement } = sheet.variations[0]!
    const light = Promise.withResolvers<readonly [number, number, number]>()
    const asked: string[] = []
    const thread = {
      ask: async ({ kind }: { kind: string }) => {
        asked.push(kind)
        return kind === 'drawBackground' ? await light.promise : undefined
      },
    }
    const { preview } = createVariationsOfLayers({
      threads: [thread],
      lane: createPictureLane(),
    } as never)
    const leaving = new AbortController()
    const first = preview(layers, arrangement, 512)
    const second = preview(layers, arrangement, 512, leaving.signal)
    const third = preview(layers, arrangement, 512)
    leaving.abort(new Error('left'))
    await expect(second, 'at once, while the first is drawn').rejects.toThrow('left')
    light.resolve([1, 1, 1])
    await Promise.all([first, third])
    expect(asked.filter((kind) => kind === 'drawBackground')).toHaveLength(2)
  })

  test('give some in other scenes where all that is good in their own is there', async () => {
    const except = sheet.variations.map(({ arrangement }) => arrangement)
    const request = { ...finishing, layers: sheet.layers!, variationsMax: 6 }
    const first = await engine.moreVariations({ ...request, except })
    const all = [...except, ...first.variations.map(({ arrangement }) => arrangement)]
    const ofOwnScene = all.filter(({ scene }) => scene === except[0]!.scene)
    const { variations } = await engine.moreVariations({ ...request, except: ofOwnScene })
    const scenes = variations.map(({ arrangement }) => arrangement.scene)
    expect(new Set(scenes.filter((scene) => scene !== except[0]!.scene)).size).toBe(3)
  })

  test('give further variations in the look of the first', async () => {
    const [{ arrangement }] = sheet.variations as [Sheet['variations'][number]]
    const { variations } = await engine.moreVariations({
      ...finishing,
      layers: sheet.layers!,
      except: [{ ...arrangement, look: 'black-and-white' }],
      variationsMax: 1,
    })
    expect(variations.map((each) => each.arrangement.look)).toEqual(['black-and-white'])
    expect(await colourOf(variations[0]!.clean)).toBeLessThan(6)
  })

  test('are shown apart too, small, and nobody bears the mark that stands in the corner', async () => {
    const { arrangement } = sheet.variations[0]!
    const withPeople = true
    const [clean, marked, otherwise] = await Promise.all([
      show({ arrangement, withPeople }),
      show({ arrangement, withPeople, watermarkText: 'starside.example' }),
      show({ arrangement, withPeople, watermarkText: 'WWWWWW' }),
    ])
    expect(clean.people).toHaveLength(2)
    const feet = clean.people!.flatMap(({ foot, heightPx, widthPx, heads }) => {
      if (!foot) return []
      const { x: headX, y: headY } = heads[0]!
      const isWide = foot.left < headX && headX < foot.right && foot.right <= widthPx
      return [isWide && headY < foot.y && foot.y <= heightPx && foot.stretchBelow > 0]
    })
    expect(feet, 'a photo that cuts a body says where').toContain(true)
    expect(feet).not.toContain(false)
    expect(await eyeDistance(clean.behind, marked.behind)).toBeGreaterThan(0.1)
    expect(clean.markBox).toBeUndefined()
    const { x, y, width, height } = marked.markBox!
    expect([x, y].map((part) => Math.round(part * 10))).toEqual([7, 9])
    expect(Math.max(x + width, y + height)).toBeLessThan(1)
    for (const { widthPx, heightPx, heads } of clean.people!) {
      expect(Math.max(widthPx, heightPx)).toBeLessThanOrEqual(512)
      expect(heads.map((head) => 0 < head.x && head.x < widthPx)).toEqual([true])
    }
    for (const { widthPx, heightPx } of marked.people!) {
      expect(Math.max(widthPx, heightPx)).toBeLessThanOrEqual(384)
    }
    expect(marked.people, 'whatever it says').toEqual(otherwise.people)
  })

  test('show nobody behind the people, in the light of the picture', async () => {
    const { arrangement } = sheet.variations[0]!
    const grey = { ...arrangement, scene: 'city-night', look: 'black-and-white' } as const
    const { behind, jpeg, people } = await show({ arrangement: grey, withPeople: true })
    expect(await eyeDistance(behind, jpeg)).toBeGreaterThan(10)
    expect(await colourOf(behind)).toBeLessThan(6)
    expect(await colourOf(await sharp(people![0]!.webp).flatten().png().toBuffer())).toBeLessThan(6)
  })

  test('show the own light of one person on them alone, in the picture and among the parts', async () => {
    const { arrangement } = sheet.variations[0]!
    const [user, star] = arrangement.subjects
    const lit = async (light: object) => {
      const subjects = [{ ...user!, ...light }, star!]
      const shown = await show({ arrangement: { ...arrangement, subjects }, withPeople: true })
      const people = await Promise.all(shown.people!.map(({ webp }) => channelsOf(webp)))
      return { ...shown, people, whole: await channelsOf(shown.jpeg) }
    }
    const [plain, dark, warm] = [
      await lit({}),
      await lit({ brightness: -1 }),
      await lit({ warmth: 1 }),
    ]
    for (const changed of [dark, warm]) {
      expect(Buffer.compare(changed.behind, plain.behind), 'the place').toBe(0)
      expect(changed.people[1], 'the star').toEqual(plain.people[1])
    }
    expect(dark.people[0]![1]).toBeLessThan(plain.people[0]![1] * 0.85)
    expect(dark.whole[1]).toBeLessThan(plain.whole[1] * 0.98)
    const redness = ([red, , blue]: Channels) => red / blue
    expect(redness(warm.people[0]!)).toBeGreaterThan(redness(plain.people[0]!) * 1.1)
    expect(redness(warm.whole)).toBeGreaterThan(redness(plain.whole) * 1.01)
  })

  test.each([
    ['nothing', () => new Uint8Array()],
    ['other bytes', () => new Uint8Array(500).fill(7)],
    ['a part of them', () => sheet.layers!.subarray(0, 5_000)],
    ['one changed byte', () => sheet.layers!.with(40_000, sheet.layers![40_000]! ^ 1)],
    ['another version', () => sheet.layers!.with(14, 99)],
  ])('are refused where %s came back', async (_, bytes) => {
    const { arrangement } = sheet.variations[0]!
    await expect(render({ arrangement, layers: bytes() })).rejects.toEqual(
      new LayersError('layers_unreadable'),
    )
  })

  test('refuse an arrangement of other people', async () => {
    const { arrangement } = sheet.variations[0]!
    const { subjects } = arrangement
    const three = { ...arrangement, subjects: [...subjects, subjects[1]!], frontToBack: [0, 1, 2] }
    for (const call of [render, show]) {
      await expect(call({ arrangement: three })).rejects.toEqual(
        new LayersError('arrangement_unfit'),
      )
    }
  })
})

describe('a finished picture', () => {
  const common = { ...finishing, provider: 'fal', model: 'a-model', seed: 7 }

  test('is developed once more at its own size, and keeps what it says of its origin', async () => {
    const { clean: bytes, widthPx, heightPx } = selfie
    const grey = await engine.developPicture({ ...common, bytes, look: 'black-and-white' })
    expect(grey).toMatchObject({ widthPx, heightPx, provider: 'fal', model: 'a-model' })
    expect(await colourOf(grey.clean)).toBeLessThan(6)
    expect((await engine.examine(grey.clean)).provenance.xmp).toBeDefined()
    const same = await engine.developPicture({ ...common, bytes, look: 'natural' })
    expect(await eyeDistance(same.clean, bytes)).toBeLessThan(0.5)
  })

  test('carries its invisible mark in every look, also where it had one before', async () => {
    const markId = '00112233445566ff'
    const marking = createEngine({ provenance: { markKey: Buffer.from('0123456789abcdef') } })
    const marked = { ...common, markId }
    const first = await marking.developPicture({ ...marked, bytes: selfie.clean, look: 'natural' })
    for (const look of ['natural', 'black-and-white', 'warm', 'muted'] as const) {
      const { clean } = await marking.developPicture({ ...marked, bytes: first.clean, look })
      expect((await marking.examine(clean)).provenance.markId, look).toBe(markId)
    }
    await marking.close()
  })

  test('is shown small in other looks', async () => {
    const looks = ['black-and-white', 'warm'] as const
    const { previews } = await engine.developPreviews({ ...common, bytes: selfie.clean, looks })
    const [grey, warm] = previews
    expect([grey!.widthPx, grey!.heightPx]).toEqual([410, 512])
    expect(await colourOf(grey!.clean)).toBeLessThan(6)
    expect(await colourOf(warm!.clean)).toBeGreaterThan(20)
    expect(await eyeDistance(grey!.clean, grey!.watermarked)).toBeGreaterThan(0)
  })
})

type Rendered = Parameters<Engine['renderVariation']>[0]

async function render(more: Pick<Rendered, 'arrangement'> & Partial<Rendered>) {
  const layers = sheet.layers!
  return await engine.renderVariation({ ...finishing, layers, resolution: 'standard', ...more })
}

type Shown = Parameters<Engine['previewVariation']>[0]

async function show(more: Pick<Shown, 'arrangement'> & Partial<Shown>) {
  const layers = sheet.layers!
  const options = { longSidePx: 512, withPeople: false, watermarkText: undefined }
  return await engine.previewVariation({ layers, ...options, ...more })
}

/** How far red and blue lie apart in the mean, in levels of 255. */
async function colourOf(picture: Uint8Array): Promise<number> {
  const { data } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  let sum = 0
  for (let i = 0; i < data.length; i += 3) sum += Math.abs(data[i]! - data[i + 2]!)
  return sum / (data.length / 3)
}

/** Mean difference of two pictures at a small size, where edges that moved by a pixel don't count. */
async function eyeDistance(one: Uint8Array, other: Uint8Array): Promise<number> {
  const small = async (bytes: Uint8Array): Promise<Buffer> =>
    await sharp(bytes).removeAlpha().resize(128, 160, { fit: 'fill' }).raw().toBuffer()
  const [a, b] = await Promise.all([small(one), small(other)])
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length
}

type Channels = readonly [red: number, green: number, blue: number]

/** The mean of each channel, on black where it is see-through. */
async function channelsOf(picture: Uint8Array): Promise<Channels> {
  const { channels } = await sharp(await sharp(picture).flatten().png().toBuffer()).stats()
  const [red, green, blue] = channels.map(({ mean }) => mean)
  return [red!, green!, blue!]
}
