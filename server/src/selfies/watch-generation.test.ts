import { once } from 'node:events'
import { Writable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readConfig } from '../config.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Context } from '../app/context.ts'
import { makeDoneGeneration, makeGeneration } from '../testing/make-generation.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { failGeneration, generationTopic } from './finish-generation.ts'
import { answerOwnGeneration, ownGenerationOf } from './own-generation.ts'
import { presentGeneration } from './present-generation.ts'
import type { ShownGenerationRow } from './queries.ts'
import type { ShownVariation } from './variations/variation-queries.ts'
import { sendGenerationEvents, watchGeneration, writeStage } from './generation-progress.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

const noon = new Date('2026-11-20T12:00:00Z')

describe('watching a generation', () => {
  const watch = (
    own: { generationId: string; userId: string },
    signal = new AbortController().signal,
    context: Pick<Context, 'findOwnGeneration' | 'notifications'> = app.context,
  ) => watchGeneration(context, { ...own, signal })

  test('shows it now, at each change, and ends with it', async () => {
    const own = await makeGeneration(app.context.database)
    const seen: string[] = []
    for await (const { state, stage } of watch(own)) {
      seen.push(`${state} ${stage}`)
      if (seen.length === 1) await writeStage(app.context, own.generationId, 'matting')
      // Published again without a change, which nobody is shown.
      if (seen.length === 2) await writeStage(app.context, own.generationId, 'matting')
      if (seen.length === 2) await writeStage(app.context, own.generationId, 'blend')
      if (seen.length === 3) await failGeneration(app.context, own.generationId, 'unavailable')
    }
    expect(seen).toEqual(['running queued', 'running matting', 'running blend', 'failed blend'])
  })

  test('shows one that has ended once', async () => {
    const own = await makeDoneGeneration(app.context.database)
    const states = []
    for await (const { state } of watch(own)) states.push(state)
    expect(states).toEqual(['done'])
  })

  test('hears of a change, and also finds one that nobody reported', async () => {
    const own = await makeGeneration(app.context.database)
    const steps = watch(own)
    await steps.next()
    const heard = steps.next()
    await writeStage(app.context, own.generationId, 'layout')
    expect((await heard).value).toMatchObject({ stage: 'layout' })
    const found = steps.next()
    await app.context.database
      .updateTable('generations')
      .set({ stage: 'finish' })
      .where('id', '=', own.generationId)
      .execute()
    expect((await found).value).toMatchObject({ stage: 'finish' })
    await steps.return(undefined)
  })

  test('ends without a word when it is aborted, before, while it waits, and after', async () => {
    const own = await makeGeneration(app.context.database)
    const stop = new AbortController()
    const steps = watch(own, stop.signal)
    expect((await steps.next()).done).toBe(false)
    const waiting = steps.next()
    stop.abort()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await watch(own, AbortSignal.abort()).next()).toEqual({ done: true, value: undefined })
  })

  test('is one’s own alone, and ends when it is deleted meanwhile', async () => {
    const [own, other] = [
      await makeGeneration(app.context.database),
      await makeGeneration(app.context.database),
    ]
    const unknown = { code: 'generation_unknown' }
    await expect(watch({ ...own, userId: other.userId }).next()).rejects.toMatchObject(unknown)
    const steps = watch(own)
    await steps.next()
    await app.context.database
      .updateTable('generations')
      .set({ deleted_at: noon })
      .where('id', '=', own.generationId)
      .execute()
    await app.context.notifications.publish(generationTopic(own.generationId))
    await expect(steps.next()).rejects.toMatchObject(unknown)
  })

  test('is no longer subscribed to once nobody watches, however it ended', async () => {
    const own = await makeGeneration(app.context.database)
    let subscribed = 0
    const context = {
      ...app.context,
      notifications: {
        ...app.context.notifications,
        subscribe(topic: string, listener: () => void) {
          const stop = app.context.notifications.subscribe(topic, listener)
          subscribed += 1
          return () => {
            subscribed -= 1
            stop()
          }
        },
      },
    }
    const steps = watch(own, undefined, context)
    await steps.next()
    expect(subscribed).toBe(1)
    await steps.return(undefined)
    expect(subscribed).toBe(0)
  })
})

describe('the stream of a generation', () => {
  /** A connection that takes all that is sent; `leave` breaks it, and resolves once that is known. */
  function openStream() {
    const destroySoon = vi.fn()
    const raw = Object.assign(new Writable({ write: (_chunk, _encoding, taken) => taken() }), {
      writeHead: () => undefined,
      socket: { destroySoon },
    })
    const closed = once(raw, 'close')
    const leave = async () => {
      raw.destroy()
      await closed
    }
    const send = (
      parts: Context,
      own: { generationId: string; userId: string },
      stopping = new AbortController().signal,
    ) =>
      sendGenerationEvents(
        parts,
        { log: app.context.log } as unknown as FastifyRequest,
        { raw, hijack: () => undefined, getHeaders: () => ({}) } as unknown as FastifyReply,
        { ...own, stopping },
      )
    return { destroySoon, closed, leave, send }
  }

  test('is not begun for who left before it', async () => {
    const own = await makeGeneration(app.context.database)
    const { leave, send } = openStream()
    let asked = 0
    const findOwnGeneration: Context['findOwnGeneration'] = async (of) => {
      asked += 1
      if (asked > 1) throw new Error('nobody waits for it')
      await leave()
      return app.context.findOwnGeneration(of)
    }
    await send({ ...app.context, findOwnGeneration }, own)
    expect(asked).toBe(1)
  })

  test.each([
    ['that goes on, whose connection stays for further calls', false],
    ['that stops, whose connection closes with it', true],
  ])('ends at a program %s', async (_which, isStopping) => {
    const own = await makeDoneGeneration(app.context.database)
    const { closed, destroySoon, send } = openStream()
    await send(app.context, own, isStopping ? AbortSignal.abort() : undefined)
    await closed
    expect(destroySoon).toHaveBeenCalledTimes(isStopping ? 1 : 0)
  })
})

describe('one’s own generation', () => {
  const of = (generationId: string) =>
    ownGenerationOf({ user: { userId: 'me' }, params: { generationId } })

  test('is asked for by an id', () => {
    const generationId = crypto.randomUUID()
    expect(of(generationId)).toEqual({ generationId, userId: 'me' })
    expect(() => of('x')).toThrow(expect.objectContaining({ code: 'generation_unknown' }))
  })

  test('is answered as it stands, and nobody else’s is', async () => {
    const own = await makeGeneration(app.context.database)
    expect(await answerOwnGeneration(app.context, own)).toMatchObject({
      success: true,
      generation: { generationId: own.generationId, state: 'running' },
    })
    const other = { ...own, userId: crypto.randomUUID() }
    await expect(answerOwnGeneration(app.context, other)).rejects.toMatchObject({
      code: 'generation_unknown',
    })
  })
})

describe('what an owner is shown', () => {
  const row: ShownGenerationRow = {
    id: '01890a5d-ac96-774b-bcce-b302099a8057',
    state: 'done',
    stage: 'done',
    stage_percent: 0,
    celebrity: 'Elena Vassandri',
    star_names: null,
    preset_id: 'elena-vassandri',
    scene: null,
    has_background_photo: false,
    is_grey_advised: false,
    grey_hints: [],
    width_px: 1024,
    height_px: 1280,
    provider: 'compositor',
    model: 'v1',
    error_code: null,
    created_at: noon,
    finished_at: new Date(noon.getTime() + 1_000),
    share_id: null,
    is_premium: false,
    guest_of: null,
    variations: null,
    layers: null,
    referral_code: 'ABCD2345',
  }
  const present = (changes: Partial<ShownGenerationRow> = {}) => {
    const config = readConfig({ NODE_ENV: 'test', PUBLIC_URL: 'https://selfie.example' })
    const images = { ...app.context.images, expectedMs: () => 4_200 }
    const context = { ...app.context, config, images, clock: () => noon }
    return presentGeneration(context, { ...row, ...changes })
  }

  test('is a finished picture with its addresses', () => {
    const address = (file: string) => expect.stringMatching(`^/api/pictures/${row.id}/${file}[?]`)
    expect(present()).toMatchObject({
      generationId: row.id,
      state: 'done',
      stage: 'done',
      celebrity: 'Elena Vassandri',
      celebrities: ['Elena Vassandri'],
      presetId: 'elena-vassandri',
      scene: 'own',
      imageUrl: address('picture.jpg'),
      downloadUrl: address('picture.png'),
      thumbnailUrl: address('thumbnail.jpg'),
      widthPx: 1024,
      heightPx: 1280,
      watermarked: true,
      error: null,
      code: null,
      expectedMs: null,
      createdAt: '2026-11-20T12:00:00.000Z',
      finishedAt: '2026-11-20T12:00:01.000Z',
      shareUrl: null,
      variations: [],
      adjustableUntil: null,
      hasMoreVariations: false,
    })
  })

  test('is, once credits were bought, the same picture at another address', () => {
    const addressOf = (bought: number) => {
      const { imageUrl, variations } = present({
        is_premium: bought > 0,
        variations: [variation()],
      })
      return [imageUrl, variations[0]?.imageUrl]
    }
    const [free, bought] = [addressOf(0), addressOf(1)]
    expect(addressOf(100)).toEqual(bought)
    for (const [index, address] of free.entries()) expect(address).not.toBe(bought[index])
  })

  const variation = (changes: Partial<ShownVariation> = {}): ShownVariation => ({
    id: '01890a5d-ac96-774b-bcce-b302099a8058',
    source: 'made',
    position: 0,
    arrangement: null,
    look: 'natural',
    isChosen: true,
    isRendered: true,
    widthPx: 1024,
    heightPx: 1280,
    ...changes,
  })

  test('is the best picture at the plain address, another one that was chosen at its own', () => {
    const imageUrl = (...variations: ShownVariation[]) => present({ variations }).imageUrl
    const plain = `/api/pictures/${row.id}/picture.jpg?`
    const second = variation({ position: 1 })
    expect(imageUrl(variation(), { ...second, isChosen: false })).toContain(plain)
    expect(imageUrl(variation({ isChosen: false }), second)).toContain(
      `/api/pictures/${row.id}/variations/${second.id}/picture.jpg?`,
    )
  })

  test('is a variation’s small picture until it was made at full size', () => {
    const [small] = present({ variations: [variation({ isRendered: false })] }).variations
    const folder = `/api/pictures/${row.id}/variations/${variation().id}`
    expect(small).toMatchObject({
      imageUrl: expect.stringContaining(`${folder}/preview.jpg?`),
      thumbnailUrl: expect.stringContaining(`${folder}/preview.jpg?`),
      downloadUrl: null,
    })
    const [full] = present({ variations: [variation()] }).variations
    expect(full).toMatchObject({
      imageUrl: expect.stringContaining(`${folder}/picture.jpg?`),
      thumbnailUrl: expect.stringContaining(`${folder}/thumbnail.jpg?`),
      downloadUrl: expect.stringContaining(`${folder}/picture.png?`),
    })
  })

  test('can be adjusted up to the moment at which its layers go', () => {
    const layersUntil = (ms: number, wereMoreMade = false) => {
      const layers = { expiresAt: noon.getTime() + ms, wereMoreMade }
      const { adjustableUntil, hasMoreVariations } = present({ layers })
      return [adjustableUntil, hasMoreVariations]
    }
    expect(layersUntil(1)).toEqual(['2026-11-20T12:00:00.001Z', true])
    expect(layersUntil(1, true)).toEqual(['2026-11-20T12:00:00.001Z', false])
    expect(layersUntil(0)).toEqual([null, false])
  })

  test('is how far it is only while it is made', () => {
    expect(present({ state: 'running', stage: 'blend', stage_percent: 40 })).toMatchObject({
      stage: 'blend',
      stagePercent: 40,
    })
    expect(present({ stage_percent: 40 })).not.toHaveProperty('stagePercent')
  })

  test('is, while it runs, how long it usually takes, and no address', () => {
    expect(present({ state: 'running', finished_at: null })).toMatchObject({
      variations: [],
      imageUrl: null,
      downloadUrl: null,
      thumbnailUrl: null,
      expectedMs: 4_200,
      finishedAt: null,
    })
  })

  test('is, when it failed, the sentence of its code, or of the general one', () => {
    const fail = (code: string) => present({ state: 'failed', error_code: code })
    expect(fail('face_missing')).toMatchObject({
      code: 'face_missing',
      error: expect.stringMatching(/No face/),
      imageUrl: null,
      expectedMs: null,
    })
    expect(fail('of_an_old_version').error).toMatch(/The selfie could not be made/)
  })

  test('is both names of two stars, the scene, no mark on bought pictures, and the public link', () => {
    const both = ['Elena Vassandri', 'Custom photo']
    expect(
      present({ star_names: both, scene: 'studio', is_premium: true, share_id: 'abc' }),
    ).toMatchObject({
      celebrities: both,
      scene: 'studio',
      watermarked: false,
      shareUrl: 'https://selfie.example/?ref=ABCD2345&selfie=abc',
    })
  })
})
