import { listRoutes } from '@starside/contract/routes/list-routes.ts'
import { layOutWatermark } from '@starside/engine/finish/watermark.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateForm } from '../../testing/generate-form.ts'
import { openShopper } from '../../testing/open-shopper.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { Answer, CallOptions, TestApp } from '../../testing/open-test-app.ts'
import { readZip } from '../../testing/read-zip.ts'
import { readPersonPhoto } from '../../testing/test-photo.ts'

/*
 * Everything that a free account is answered, by the real engine, beside what the same requests answer
 * once credits were bought: only the brand mark may differ, and it has to be there; people by themselves are small.
 */

const brandMark = 'selfie.example'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ realEngine: true })
})
afterAll(() => app[Symbol.asyncDispose]())

/** A request that was answered, to be asked again. */
interface Exchange {
  path: string
  options: CallOptions
  answer: Answer
}

/** Calls as one person and keeps all that was answered. */
function openSession(token: string) {
  const exchanges: Exchange[] = []
  return {
    exchanges,
    async ask(path: string, options: CallOptions = {}): Promise<Answer> {
      const answer = await app.call(path, { token, ...options })
      expect(answer.status, path).toBe(200)
      exchanges.push({ path, options, answer })
      return answer
    },
  }
}

type Session = ReturnType<typeof openSession>

const isPicture = (bytes: Buffer): boolean =>
  bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) ||
  bytes.subarray(1, 4).toString('latin1') === 'PNG' ||
  bytes.subarray(8, 12).toString('latin1') === 'WEBP' ||
  bytes.subarray(4, 12).toString('latin1') === 'ftypavif'

/** All pictures of an answer by name: itself, those of an archive, those that stand in a text. */
function picturesOf({ body }: Answer): Map<string, Buffer> {
  if (Buffer.isBuffer(body) && isPicture(body)) return new Map([['itself', body]])
  if (Buffer.isBuffer(body) && body.subarray(0, 2).toString('latin1') === 'PK') {
    return new Map([...readZip(body)].filter(([, bytes]) => isPicture(bytes)))
  }
  const text = Buffer.isBuffer(body) ? body.toString('latin1') : JSON.stringify(body)
  const encoded = [...text.matchAll(/[\w+/-]{200,}={0,2}/gu)].map(([base64]) =>
    Buffer.from(base64, 'base64'),
  )
  const found = encoded.filter((bytes) => isPicture(bytes))
  return new Map(found.map((bytes, index) => [`picture ${index + 1}`, bytes]))
}

/** The addresses of own pictures in an answer. */
function addressesOf({ body }: Answer): string[] {
  const text = Buffer.isBuffer(body) ? '' : JSON.stringify(body)
  return [...text.matchAll(/"(\/api\/pictures\/[^"]+)"/gu)].map(([, address]) => address ?? '')
}

/** Uses everything that a person may do with photos and pictures, and follows all addresses. */
async function useEverything({ ask, exchanges }: Session): Promise<void> {
  const photo = new FormData()
  const userPhoto = await readPersonPhoto()
  photo.set('photo', new Blob([Uint8Array.from(userPhoto)]), 'me.jpg')
  await ask('/api/ai?action=inspect', { form: photo })
  const made = await ask('/api/ai?action=generate', { form: await generateForm({ userPhoto }) })
  const { generationId, variations } = made.body.generation
  const path = `/api/generations/${generationId}`
  const events = await ask(`${path}/events`)
  expect(events.body.toString()).toContain(generationId)

  const more = await ask(`${path}/variations/more`, { method: 'POST' })
  expect(more.body.generation.variations.length).toBeGreaterThan(1)
  const [best] = variations
  const [user, star] = best.arrangement.subjects
  const points = [{ x: 0, y: 1.5 }]
  const retouch = [{ kind: 'erase', size: 0.3, softness: 0.5, points }]
  const wishes = [
    { ...best.arrangement, aspect: '16:9', subjects: [{ ...user, retouch }, star] },
    { ...best.arrangement, aspect: '9:16', scene: 'studio' },
    { ...best.arrangement, look: 'instant', caption: 'Hello' },
  ]
  const { shareUrl } = (await ask(`${path}/share`, { method: 'POST' })).body.generation
  const shareId = new URL(shareUrl).searchParams.get('selfie')
  const passOn = async (): Promise<void> => {
    await ask(`/api/shares/${shareId}/picture.jpg`)
    await ask(`/api/shares/${shareId}/card.jpg?lang=es`)
  }
  for (const arrangement of wishes) {
    await ask(`${path}/preview`, {
      json: { arrangement, withPeople: true, isLarge: arrangement.scene === 'studio' },
    })
    await ask(`${path}/variations`, { json: { arrangement } })
  }
  const { variationId } = more.body.generation.variations.at(-1)
  await ask(`${path}/chosen`, { method: 'PUT', json: { variationId } })
  await ask(path)
  const gallery = await ask('/api/generations')
  for (const { isRendered, variationId: id } of gallery.body.items[0].variations) {
    if (!isRendered) continue
    await ask(`${path}/chosen`, { method: 'PUT', json: { variationId: id } })
    await passOn()
  }
  await ask('/api/user?action=export')
  await ask('/api/user?action=export&format=zip')
  // Each answer signs the same addresses anew.
  const addresses = new Map(
    exchanges
      .flatMap(({ answer }) => addressesOf(answer))
      .map((address) => [address.split('?')[0], address]),
  )
  for (const address of addresses.values()) await ask(address)
}

/** Asks again in the same order, but for what is done once. */
async function askAgain({ exchanges }: Session, token: string): Promise<[Exchange, Answer][]> {
  const answers: [Exchange, Answer][] = []
  for (const exchange of exchanges) {
    const { path, options, answer } = exchange
    const isReadOnly = options.json === undefined && options.form === undefined
    const isRepeatable = /[/](?:preview|chosen)$/u.test(path)
    if ((!isReadOnly || options.method === 'POST') && !isRepeatable) {
      expect([...picturesOf(answer)], `${path} holds no picture`).toEqual([])
    } else answers.push([exchange, await app.call(path, { token, ...options })])
  }
  return answers
}

/** Where and how much two pictures of the same arrangement differ. */
interface Difference {
  widthPx: number
  heightPx: number
  /** What surrounds all pixels that differ visibly. */
  box: { left: number; top: number; widthPx: number; heightPx: number }
  /** Outside of the box: mean over all channels, of 255. */
  elsewhere: number
  /** The brightness of the clean picture within the box, of 255. */
  brightnessBelow: number
}

/** Of 255; compression changes less. */
const visible = 30

async function readRgb(bytes: Buffer) {
  return await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
}

async function compare(marked: Buffer, clean: Buffer): Promise<Difference> {
  const [one, other] = [await readRgb(marked), await readRgb(clean)]
  const { width, height } = one.info
  expect([other.info.width, other.info.height]).toEqual([width, height])
  const box = { left: width, top: height, right: -1, bottom: -1 }
  let changeOfAll = 0
  for (let y = 0, pixel = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, pixel += 1) {
      const change = changeAt(one.data, other.data, pixel * 3)
      changeOfAll += change
      if (change <= visible) continue
      box.left = Math.min(box.left, x)
      box.right = Math.max(box.right, x)
      box.top = Math.min(box.top, y)
      box.bottom = Math.max(box.bottom, y)
    }
  }
  if (box.right < 0) throw new Error('no brand mark: the pictures are alike')
  const sums = { elsewhere: changeOfAll, below: 0 }
  for (let y = box.top; y <= box.bottom; y += 1) {
    for (let x = box.left; x <= box.right; x += 1) {
      const at = (y * width + x) * 3
      sums.below += other.data[at + 1]!
      sums.elsewhere -= changeAt(one.data, other.data, at)
    }
  }
  const [boxWidthPx, boxHeightPx] = [box.right - box.left + 1, box.bottom - box.top + 1]
  const boxPx = boxWidthPx * boxHeightPx
  return {
    widthPx: width,
    heightPx: height,
    box: { left: box.left, top: box.top, widthPx: boxWidthPx, heightPx: boxHeightPx },
    elsewhere: sums.elsewhere / (width * height - boxPx),
    brightnessBelow: sums.below / boxPx,
  }
}

/** The largest difference of three channels. */
function changeAt(one: Buffer, other: Buffer, at: number): number {
  const red = Math.abs(one[at]! - other[at]!)
  const green = Math.abs(one[at + 1]! - other[at + 1]!)
  return Math.max(red, green, Math.abs(one[at + 2]! - other[at + 2]!))
}

/** The brand mark stands once in the photographed part, and nothing else differs. */
async function expectMark(name: string, marked: Buffer, clean: Buffer): Promise<void> {
  const { widthPx, heightPx, box, elsewhere, brightnessBelow } = await compare(marked, clean)
  const isCard = name.includes('/card.jpg')
  // A card shows the picture beside its words, at most so wide.
  const pictureWidthPx = isCard ? Math.min(504, widthPx) : widthPx
  const expected = layOutWatermark(pictureWidthPx, heightPx, brandMark)
  expect(box.widthPx, `${name}: the mark's width`).toBeGreaterThan(expected.widthPx * 0.7)
  expect(box.heightPx, `${name}: the mark's height`).toBeGreaterThan(expected.heightPx * 0.4)
  expect(elsewhere, `${name}: the same picture`).toBeLessThan(4)
  // On a card an instant picture has a second one, as it can't be told what a cut has left of the first.
  if (isCard) return
  expect(box.widthPx * box.heightPx, `${name}: nothing else`).toBeLessThan(
    expected.widthPx * expected.heightPx * 2,
  )
  // The white frame of an instant picture can be cut off with all that stands on it.
  expect(brightnessBelow, `${name}: on the photo`).toBeLessThan(240)
}

/** A person by themselves bears no mark: they are too small to make the picture of. */
async function expectSmallPerson(name: string, picture: Buffer, large: Buffer): Promise<void> {
  const sideOf = async (bytes: Buffer) => {
    const { info } = await readRgb(bytes)
    return Math.max(info.width, info.height)
  }
  expect(await sideOf(picture), `${name}: the size`).toBeLessThanOrEqual(384)
  expect(await sideOf(large), `${name}: the buyer's`).toBeLessThanOrEqual(512)
}

test('a free account is sent no picture without the brand mark, whatever it asks for', async () => {
  const { token, userId } = await app.register()
  const session = openSession(token)
  await useEverything(session)

  const asked = listRoutes().filter(({ method, path, action }) =>
    session.exchanges.some((exchange) => {
      const url = new URL(exchange.path, app.url)
      const pattern = new RegExp(
        `^${path.replaceAll('.', '[.]').replaceAll(/:\w+/gu, '[^/]+')}$`,
        'u',
      )
      const isAsked = pattern.test(url.pathname) && (exchange.options.method ?? 'GET') === method
      return isAsked && (url.searchParams.get('action') ?? undefined) === action
    }),
  )
  // The stars, the faces to borrow, an event's place and frame and the site's own card are nobody's pictures.
  const ownPictures = listRoutes().filter(
    ({ path, answers }) =>
      !/[/](?:presets|people|events)[/]|^[/]api[/]card/u.test(path) &&
      Object.values(answers).some(
        (answer) =>
          'mediaTypes' in answer && answer.mediaTypes.some((type) => type.startsWith('image/')),
      ),
  )
  expect(asked.map(({ key }) => key)).toEqual(
    expect.arrayContaining(ownPictures.map(({ key }) => key)),
  )

  const purchase = await openShopper(app).order('basic', { token, userId })
  await purchase.act('pay')
  await expect.poll(async () => (await purchase.credits()).bought).toBe(100)
  const again = await askAgain(session, token)
  let compared = 0
  for (const [{ path, answer }, premium] of again) {
    const [marked, clean] = [picturesOf(answer), picturesOf(premium)]
    expect([...clean.keys()], path).toEqual([...marked.keys()])
    for (const [name, bytes] of marked) {
      const isPerson = bytes.subarray(8, 12).toString('latin1') === 'WEBP'
      const check = isPerson ? expectSmallPerson : expectMark
      await check(`${path} ${name}`, bytes, clean.get(name)!)
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(25)
}, 600_000)
