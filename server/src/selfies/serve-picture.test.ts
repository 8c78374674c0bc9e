import { errorTable } from '@starside/contract/errors.ts'
import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDoneGeneration } from '../testing/make-generation.ts'
import { openEvent } from '../testing/open-event.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { createTestJpeg } from '../testing/test-photo.ts'
import { createPngReader, pngKeyOf } from './picture-png.ts'
import { signPictureUrl, servePicture } from './serve-picture.ts'
import type { PictureFile } from './serve-picture.ts'

let app: TestApp
let server: FastifyInstance
let url: string
let now = new Date('2026-11-20T12:00:00Z')
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  server = fastify({ forceCloseConnections: true })
  server.setErrorHandler((error: Error & { code: string }, _request, reply) =>
    reply.code(404).send(error.code),
  )
  const readPng = createPngReader(app.context)
  server.get<{
    Params: { generationId: string; file: string }
    Querystring: Record<string, string>
  }>('/api/pictures/:generationId/:file', ({ params, query }, reply) =>
    servePicture({ ...app.context, clock: () => now, readPng }, reply, { ...params, ...query }),
  )
  server.get<{
    Params: { generationId: string; variationId: string; file: string }
    Querystring: Record<string, string>
  }>('/api/pictures/:generationId/variations/:variationId/:file', ({ params, query }, reply) =>
    servePicture({ ...app.context, clock: () => now, readPng }, reply, { ...params, ...query }),
  )
  url = await server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await server.close()
  await app[Symbol.asyncDispose]()
})

const noon = new Date('2026-11-20T12:00:00Z')
const hourMs = 60 * 60_000

async function open(path: string) {
  const response = await fetch(url + path)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString() }
}

const sign = (generationId: string, file: PictureFile) =>
  signPictureUrl(app.context.keys.pictureUrls, { generationId, file, now: noon, isPremium: false })

/** A finished generation whose objects are the words for what they are. */
async function makePictures(boughtTotal = 0) {
  now = noon
  const { generationId, userId } = await makeDoneGeneration(app.context.database, { at: noon })
  await app.context.database
    .updateTable('credit_accounts')
    .set({ bought_total: boughtTotal })
    .where('user_id', '=', userId)
    .execute()
  const keyOf = (name: string) => `pictures/${generationId}/1-${name}.jpg`
  for (const name of ['clean', 'watermarked', 'clean-thumbnail', 'watermarked-thumbnail']) {
    await app.context.store.put(keyOf(name), Buffer.from(name), 'image/jpeg')
  }
  return {
    generationId,
    userId,
    keyOf,
    open: (file: PictureFile) => open(sign(generationId, file)),
  }
}

describe('a signed picture', () => {
  test('has the brand mark until credits were bought', async () => {
    const free = await makePictures()
    expect((await free.open('picture.jpg')).text).toBe('watermarked')
    expect((await free.open('thumbnail.jpg')).text).toBe('watermarked-thumbnail')
    const premium = await makePictures(1)
    expect((await premium.open('picture.jpg')).text).toBe('clean')
    expect((await premium.open('thumbnail.jpg')).text).toBe('clean-thumbnail')
  })

  test('is a JPEG that browsers keep until its address expires', async () => {
    const { headers, status } = await (await makePictures()).open('picture.jpg')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/jpeg')
    expect(headers.get('cache-control')).toBe('private, max-age=3600')
    expect(headers.get('content-disposition')).toBeNull()
  })

  test('of an event’s guest stays in no browser, as the next one at a kiosk may look for it', async () => {
    const { row } = await openEvent(app)
    const picture = await makePictures()
    await app.context.database
      .updateTable('users')
      .set({ guest_of: row.id })
      .where('id', '=', picture.userId)
      .execute()
    const { headers, status } = await picture.open('picture.jpg')
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  })

  test('expires after its hour', async () => {
    const picture = await makePictures()
    now = new Date(noon.getTime() + hourMs - 1)
    const last = await picture.open('picture.jpg')
    expect([last.status, last.headers.get('cache-control')]).toEqual([200, 'private, max-age=0'])
    now = new Date(noon.getTime() + hourMs)
    expect((await picture.open('picture.jpg')).text).toBe('picture_expired')
    expect(errorTable.picture_expired.status, 'it was there, and has a new address').toBe(410)
  })

  test('is not there without its own signature', async () => {
    const [mine, other] = [await makePictures(), await makePictures()]
    const signed = new URL(sign(mine.generationId, 'picture.jpg'), url)
    const change = async (act: (changed: URL) => void) => {
      const changed = new URL(signed)
      act(changed)
      return (await open(changed.pathname + changed.search)).text
    }
    expect(await change(() => {})).toBe('watermarked')
    const unknown = 'generation_unknown'
    expect(await change((it) => it.searchParams.delete('signature'))).toBe(unknown)
    expect(await change((it) => it.searchParams.set('expires', '99999999999999'))).toBe(unknown)
    expect(await change((it) => it.searchParams.set('expires', '1e999'))).toBe(unknown)
    expect(await change((it) => it.searchParams.delete('expires'))).toBe(unknown)
    const replace = (from: string, to: string) => (it: URL) =>
      void (it.pathname = it.pathname.replace(from, to))
    expect(await change(replace('picture.jpg', 'thumbnail.jpg'))).toBe(unknown)
    expect(await change(replace('picture.jpg', 'clean.jpg'))).toBe(unknown)
    expect(await change(replace(mine.generationId, other.generationId))).toBe(unknown)
  })

  test('whose id is none or whose file is none is not there, however it is signed', async () => {
    const files = ['clean.jpg' as PictureFile, 'picture.jpg'] as const
    const ids = [(await makePictures()).generationId, 'x'] as const
    expect((await open(sign(ids[0], files[0]))).text).toBe('generation_unknown')
    expect((await open(sign(ids[1], files[1]))).text).toBe('generation_unknown')
    expect((await open(sign(crypto.randomUUID(), 'picture.jpg'))).text).toBe('generation_unknown')
  })

  test('of a variation that is none, or none of this selfie, is not there, however it is signed', async () => {
    const { generationId } = await makePictures()
    for (const variationId of ['x', crypto.randomUUID()]) {
      const address = signPictureUrl(app.context.keys.pictureUrls, {
        generationId,
        variationId,
        file: 'picture.jpg',
        now: noon,
        isPremium: false,
      })
      expect((await open(address)).text, variationId).toBe('generation_unknown')
    }
  })

  test('of a variation is that variation’s, with the brand mark as its owner’s have it', async () => {
    const { generationId } = await makePictures()
    const { database, keys, store } = app.context
    await store.put('pictures/v-marked.jpg', Buffer.from('variation'), 'image/jpeg')
    const { id: variationId } = await database
      .insertInto('variations')
      .values({
        generation_id: generationId,
        position: 0,
        source: 'made',
        clean_key: 'pictures/v-clean.jpg',
        watermarked_key: 'pictures/v-marked.jpg',
        clean_thumbnail_key: 'pictures/v-clean-thumbnail.jpg',
        watermarked_thumbnail_key: 'pictures/v-marked-thumbnail.jpg',
        width_px: 1024,
        height_px: 1280,
        created_at: noon,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const picture = { generationId, variationId, file: 'picture.jpg' } as const
    const address = signPictureUrl(keys.pictureUrls, { ...picture, now: noon, isPremium: false })
    expect((await open(address)).text).toBe('variation')
  })

  test('whose objects are gone is not there', async () => {
    const { database, store } = app.context
    const picture = await makePictures()
    await store.delete(picture.keyOf('watermarked'))
    expect((await picture.open('picture.jpg')).text).toBe('generation_unknown')
    expect((await picture.open('picture.png')).text).toBe('generation_unknown')
    expect((await picture.open('thumbnail.jpg')).status).toBe(200)
    await database
      .updateTable('generations')
      .set({ watermarked_thumbnail_key: null })
      .where('id', '=', picture.generationId)
      .execute()
    expect((await picture.open('thumbnail.jpg')).text).toBe('generation_unknown')
  })
})

describe('the PNG to save', () => {
  async function makePng() {
    const picture = await makePictures()
    const jpeg = await createTestJpeg({ red: 1, green: 2, blue: 3, widthPx: 16 })
    const key = picture.keyOf('watermarked')
    await app.context.store.put(key, jpeg, 'image/jpeg')
    return { ...picture, key }
  }

  test('has a name and a type of its own', async () => {
    const picture = await makePng()
    const { headers, bytes, status } = await picture.open('picture.png')
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="celebrity-selfie-${noon.getTime()}.png"`,
    )
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  })

  test('is made once and kept beside its JPEG', async () => {
    const picture = await makePng()
    const { store } = app.context
    await picture.open('picture.png')
    const kept = await store.get(pngKeyOf(picture.key))
    expect(
      Buffer.from(kept ?? [])
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    await store.put(pngKeyOf(picture.key), Buffer.from('kept'), 'image/png')
    expect((await picture.open('picture.png')).text).toBe('kept')
  })

  test('is made once for those who ask at the same time, one picture after the other', async () => {
    const { store } = app.context
    let [running, most, made] = [0, 0, 0]
    const engine = {
      ...app.engine,
      async toPng(jpeg: Uint8Array) {
        made += 1
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setTimeout(resolve, 5))
        running -= 1
        return jpeg
      },
    }
    const read = createPngReader({ store, engine })
    const [one, other] = [await makePng(), await makePng()]
    const ask = ({ key: jpegKey }: { key: string }) => read({ jpegKey, ownerId: jpegKey })
    await Promise.all([ask(one), ask(one), ask(other), ask(other)])
    expect([made, most]).toEqual([2, 1])
    await store.delete(pngKeyOf(one.key))
    await ask(one)
    expect(made).toBe(3)
  })

  test('does not outlive a picture that is deleted while it is made', async () => {
    const { store } = app.context
    const { key } = await makePng()
    const engine = {
      ...app.engine,
      async toPng(jpeg: Uint8Array) {
        await store.delete(key)
        return jpeg
      },
    }
    await createPngReader({ store, engine })({ jpegKey: key, ownerId: 'x' })
    expect(await store.get(pngKeyOf(key))).toBeUndefined()
  })
})
