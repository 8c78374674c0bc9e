import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { uploadBytesMax } from '@starside/contract/limits.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import { createNotifications } from '../platform/db/notifications.ts'
import { generateForm } from '../testing/generate-form.ts'
import { makeDoneGeneration } from '../testing/make-generation.ts'
import { openOperator } from '../testing/open-operator.ts'
import type { OperatorBrowser } from '../testing/open-operator.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { changeSite } from '../platform/site/change-site.ts'
import { findRemovable } from '../selfies/delete-generation.ts'
import { removeEndedStars } from '../trust/reports/remove-picture.ts'
import { addStar } from './add-star.ts'
import { editStar, findStar, placeStar, publishStar } from './edit-stars.ts'
import { makeTestSelfie } from '../testing/scripted-engine.ts'
import { openPresets, readStars } from './open-presets.ts'
import type { Presets } from './presets.ts'
import { starUploadKey } from './star-objects.ts'
import { starRules } from './star-rules.ts'
import { sweepStarObjects, workOnStars } from './jobs.ts'

const picture = await readFile(
  fileURLToPath(new URL('../../presets/mina-asakuri/picture.jpg', import.meta.url)),
)
let app: TestApp
let owner: OperatorBrowser
beforeAll(async () => {
  app = await openTestApp()
  owner = await openOperator(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const fields = {
  name: 'Ada Lovelace',
  category: 'science',
  line_en: 'Wrote the first program.',
  line_es: '',
  line_zh: '写了第一个程序。',
  licence: 'CC0 1.0',
  attribution: 'Nobody',
  source: 'https://pictures.example/1',
  consent_note: 'Made up.',
  licence_from: '',
  licence_until: '',
  licence_uses: '',
}

const stateOf = async (id: string) => {
  const { database } = app.context
  return (await findStar(database, id))?.state
}

/** Adds a star and waits until it is cut out. */
async function addDraft(...options: Parameters<typeof add>) {
  const added = await add(...options)
  await expect.poll(() => stateOf(added.id)).toBe('draft')
  return added
}

/** Sends the form as the page does; answers the new star's id. */
async function add(
  changes: Partial<Record<keyof typeof fields, string>> = {},
  bytes: Uint8Array = picture,
  browser = owner,
) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, ...changes })) form.append(name, value)
  form.append('picture', new Blob([Buffer.from(bytes)]), 'a.jpg')
  const answer = await browser.submit('/admin/presets/add', form)
  return { ...answer, id: answer.location?.split('/').at(-1) ?? '' }
}

const list = async (query = '') =>
  (await app.call(`/api/ai?action=presets${query}`)).body as {
    presets: CelebrityPreset[]
    nextCursor: string | null
  }
const idsOf = (answer: { presets: CelebrityPreset[] }) => answer.presets.map(({ id }) => id)

test('a star is a draft with its pictures, is published, makes a selfie and is retired', async () => {
  const { id, status } = await addDraft()
  expect([status, id]).toEqual([303, 'ada-lovelace'])
  expect(idsOf(await list())).not.toContain(id)
  expect((await app.call(`/api/presets/${id}.jpg`)).status).toBe(404)
  const page = await owner.get(`/admin/presets/${id}`)
  for (const name of ['original', 'cutout', 'sample-1', 'sample-2', 'sample-3']) {
    expect(page.text).toContain(`src="/admin/presets/${id}/${name}"`)
    expect((await owner.get(`/admin/presets/${id}/${name}`)).status).toBe(200)
  }

  await owner.submit(`/admin/presets/${id}/publish`)
  const { presets } = await list()
  expect(presets[0]).toMatchObject({
    id,
    name: 'Ada Lovelace',
    line: { en: 'Wrote the first program.', zh: '写了第一个程序。' },
    aiGenerated: false,
  })
  for (const address of [presets[0]?.image, presets[0]?.thumbnail.avif]) {
    expect((await app.call(address ?? '')).status).toBe(200)
  }
  const { token } = await app.register()
  const selfie = async () => {
    const form = await generateForm()
    form.delete('celebrityPhoto')
    form.set('presetId', id)
    return app.call('/api/ai?action=generate', { token, form })
  }
  const made = await selfie()
  expect([made.status, made.body.generation?.celebrity]).toEqual([200, 'Ada Lovelace'])

  await owner.submit(`/admin/presets/${id}/retire`, { reason: 'over' })
  expect(idsOf(await list())).not.toContain(id)
  expect((await selfie()).body.code).toBe('preset_unknown')
  const history = await app.call('/api/generations', { token })
  expect(history.body.items[0].celebrity).toBe('Ada Lovelace')
  expect((await owner.submit(`/admin/presets/${id}/publish`)).status).toBe(422)
  // The name may come again, the id doesn't.
  expect((await add()).id).toBe('ada-lovelace-2')
})

test('a star whose photo ends at the chin is offered as too tight for a tall picture', async () => {
  app.engine.inspection.hints = ['tight_crop']
  const { id } = await addDraft({ name: 'Mary Anning' })
  app.engine.inspection.hints = []
  await owner.submit(`/admin/presets/${id}/publish`)
  const { presets } = await list()
  expect(presets.filter(({ tightCrop }) => tightCrop).map((star) => star.id)).toEqual([id])
  await owner.submit(`/admin/presets/${id}/retire`, { reason: 'over' })
})

test('stars of the program keep their ids and can be hidden and moved', async () => {
  expect((await add({ name: 'Mina Asakuri' })).id).toBe('mina-asakuri-2')
  expect((await add({ name: '李小龙' })).id).toMatch(/^star-\d+$/)
  await owner.submit('/admin/presets/place', { id: 'mina-asakuri', position: '1', row: 'x' })
  expect(idsOf(await list())[0]).toBe('mina-asakuri')
  await owner.submit('/admin/presets/place', { id: 'mina-asakuri', position: '1', hidden: 'on' })
  expect(idsOf(await list())).not.toContain('mina-asakuri')
  await owner.submit('/admin/presets/place', { id: 'mina-asakuri', position: '3' })
  expect(idsOf(await list())[2]).toBe('mina-asakuri')
})

test('a published star is edited: users see the new words, selfies keep the name they had', async () => {
  const { id } = await addDraft({ name: 'Hedy Lamarr' })
  await owner.submit(`/admin/presets/${id}/publish`)
  const page = await owner.get(`/admin/presets/${id}`)
  expect(page.text).toContain('value="Wrote the first program."')
  const edited = { ...fields, name: 'Hedwig Kiesler', line_es: 'Salta.', licence: 'CC BY 4.0' }
  const done = await owner.submit(`/admin/presets/${id}/edit`, edited)
  expect([done.status, done.flash]).toEqual([303, expect.stringContaining('Hedwig Kiesler')])
  const { presets } = await list()
  expect(presets.find((star) => star.id === id)).toMatchObject({
    name: 'Hedwig Kiesler',
    line: { es: 'Salta.', en: 'Wrote the first program.' },
    licence: 'CC BY 4.0',
  })
  const refused = await owner.submit(`/admin/presets/${id}/edit`, { ...edited, attribution: ' ' })
  expect([refused.status, refused.text.includes('edit-attribution-problem')]).toEqual([422, true])
  expect((await findStar(app.context.database, id))?.attribution).toBe('Nobody')
  await owner.submit(`/admin/presets/${id}/retire`, { reason: 'over' })
  expect((await owner.submit(`/admin/presets/${id}/edit`, edited)).status).toBe(422)
})

test('a star moves up and down by one, with the focus on its button, and hidden ones stay hidden', async () => {
  const order = () => app.context.presets.listPlaced().map((star) => star.id)
  const before = order()
  const [first = '', second = '', third = ''] = before
  await owner.submit('/admin/presets/place', { id: third, position: '3', hidden: 'on' })
  const moved = { id: second, position: '1', row: `${second} up` }
  const { cookie } = owner
  const told = await fetch(`${app.url}/admin/presets/place`, {
    method: 'POST',
    body: new URLSearchParams({ ...moved, csrf: owner.csrf }),
    headers: { cookie, origin: app.url },
    redirect: 'manual',
  })
  expect(order()).toEqual([second, first, ...before.slice(2)])
  expect(idsOf(await list())).not.toContain(third)
  const flash = told.headers.getSetCookie().map((line) => line.split(';')[0])
  const after = await fetch(`${app.url}/admin/presets`, {
    headers: { cookie: [cookie, ...flash].join('; ') },
  })
  const text = await after.text()
  expect(text).toMatch(new RegExp(`id="told"[^>]*>[^<]* is number 1 of ${before.length}\\.<`))
  // The first has no button up any more: what was done has the focus.
  expect(text).toMatch(/id="told" role="status" tabindex="-1" autofocus/)
  await owner.submit('/admin/presets/place', { id: second, position: '2' })
  await owner.submit('/admin/presets/place', { id: third, position: '3' })
  expect(order()).toEqual(before)
})

test('two stars that are moved at the same moment both stand where they were put', async () => {
  const { database, presets } = app.context
  const stars = presets.listPlaced()
  const before = stars.map((star) => star.id)
  const [first = '', second = '', ...rest] = before
  const last = rest.at(-1) ?? ''
  // Both know the order as it was.
  await placeStar(database, stars, { id: last, place: 1, isHidden: false })
  await placeStar(database, stars, { id: second, place: before.length, isHidden: false })
  await presets.refresh()
  expect(presets.listPlaced().map((star) => star.id)).toEqual([
    last,
    first,
    ...rest.slice(0, -1),
    second,
  ])
  await placeStar(database, stars, { id: second, place: 3, isHidden: false })
  await placeStar(database, stars, { id: last, place: before.length, isHidden: false })
  await presets.refresh()
  expect(presets.listPlaced().map((star) => star.id)).toEqual(before)
})

test('a star is offered within its licence alone, and its pictures go with it where that is set', async () => {
  await using later = await openTestApp()
  later.stopTime()
  const operator = await openOperator(later)
  const { context } = later
  const dayOf = (days: number) =>
    new Date(context.clock().getTime() + days * 86_400_000).toISOString().slice(0, 10)
  const terms = { licence_from: dayOf(1), licence_until: dayOf(2), licence_uses: 'Selfies on site' }
  const { id } = await add({ name: 'Guest Star', ...terms }, picture, operator)
  await expect.poll(async () => (await findStar(context.database, id))?.state).toBe('draft')
  await publishStar(context.database, id)
  const isOffered = async () => {
    await context.presets.refresh()
    return context.presets.find(id) !== undefined
  }
  const dayMs = 86_400_000
  expect(await isOffered()).toBe(false)
  later.passTime(dayMs)
  expect(await isOffered()).toBe(true)
  const { token } = await later.register()
  const made = await later.call('/api/ai?action=generate', {
    token,
    form: await generateForm({ presetId: id }),
  })
  const { generationId: asFirst } = made.body.generation
  const { generationId: asSecond } = await makeDoneGeneration(context.database, {
    row: { second_preset_id: id, star_names: ['Ada', 'Guest Star'] },
  })
  const isKept = () =>
    Promise.all(
      [asFirst, asSecond].map(async (generationId) => {
        const row = await findRemovable(context.database, generationId)
        return row?.clean_key !== null
      }),
    )
  const by = { operatorName: 'kim', now: context.clock() }
  const removes = async (afterLicence: 'keep' | 'remove') => {
    await changeSite(context.database, { 'stars.afterLicence': afterLicence }, by)
    await context.site.refresh()
  }
  await removes('remove')
  later.passTime(dayMs)
  await removeEndedStars(context, AbortSignal.timeout(60_000))
  expect([await isOffered(), await isKept()], 'on its last day').toEqual([true, [true, true]])
  await removes('keep')
  later.passTime(dayMs)
  expect(await isOffered()).toBe(false)
  await removeEndedStars(context, AbortSignal.timeout(60_000))
  expect(await isKept()).toEqual([true, true])
  await removes('remove')
  await removeEndedStars(context, AbortSignal.timeout(60_000))
  expect(await isKept()).toEqual([false, false])
})

test('a published star stands in the place of one in a file that has its id', async () => {
  const { id } = await addDraft({ name: 'Emmy Noether' })
  const { database, presets, clock } = app.context
  await publishStar(database, id)
  await presets.refresh()
  const inFile = { ...presets.find(id), name: 'Of a file' }
  const files = { list: () => [inFile] } as unknown as Presets
  const { placed } = await readStars(database, files, clock())
  const found = placed.filter((star) => star.id === id)
  expect(found.map(({ name, isOwn }) => [name, isOwn])).toEqual([['Emmy Noether', true]])
})

test('a licence that ends before it begins is refused', async () => {
  const form = { licence_from: '2027-02-01', licence_until: '2027-01-31' }
  expect((await add({ name: 'Backwards', ...form })).status).toBe(422)
})

test('to delete a star’s row is refused, as selfies name it by its id', async () => {
  const { id } = await add()
  const deleting = sql`delete from stars where id = ${id}`.execute(app.context.database)
  await expect(deleting).rejects.toMatchObject({ constraint: 'stars_retired_is_final' })
})

test('another node offers a published star at once, and tells it in new words', async () => {
  const { context, databaseUrl } = app
  const { database, pool, log, engine, store, config, clock } = context
  const notifications = await createNotifications({ databaseUrl, pool, log })
  const { dataFolder } = config
  // Its timer stands still, so that only a notification can tell it.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const other = await openPresets({
    engine,
    dataFolder,
    database,
    store,
    notifications,
    log,
    clock,
  })
  vi.useRealTimers()
  const { id } = await addDraft({ name: 'Grace Hopper' })
  await publishStar(database, id)
  await expect.poll(() => other.find(id)).toBeDefined()
  await editStar(database, { ...starRules.parse(fields), id, name: 'Grace Brewster' })
  await expect.poll(() => other.find(id)?.name).toBe('Grace Brewster')
  await placeStar(database, app.context.presets.listPlaced(), { id, place: 1, isHidden: true })
  await expect.poll(() => other.find(id)).toBeUndefined()
  other.close()
  await notifications.close()
})

describe('a star is cut out by a job', () => {
  const pageOf = async (id: string) => (await owner.get(`/admin/presets/${id}`)).text

  test('the form answers at once, and the page says that it is being cut out', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    app.engine.next = [
      async () => {
        await promise
        return makeTestSelfie()
      },
    ]
    const { id, status } = await add({ name: 'Slow Star' })
    expect([status, await stateOf(id)]).toEqual([303, 'cutting'])
    expect(await pageOf(id)).toContain('being cut out')
    expect((await owner.get(`/admin/presets/${id}/upload`)).status).toBe(200)
    expect((await owner.submit(`/admin/presets/${id}/publish`)).status).toBe(422)
    resolve()
    await expect.poll(() => stateOf(id)).toBe('draft')
    expect((await owner.get(`/admin/presets/${id}/upload`)).status).toBe(404)
  })

  test('one whose job a backup has not is cut out as the work begins again', async () => {
    const { context } = app
    const jobs = { ...context.jobs, enqueue: async () => undefined }
    const parts = { ...context, jobs, store: async () => context.store }
    const star = { ...starRules.parse({ ...fields, name: 'Restored' }), picture, createdBy: 'kim' }
    const id = await addStar(parts, star)
    const work = async () => undefined
    await workOnStars({ ...context, jobs: { ...context.jobs, work, schedule: work } })
    await expect.poll(() => stateOf(id)).toBe('draft')
  })

  test('a failure in between is tried again', async () => {
    const fail = () => Promise.reject(new Error('the engine died'))
    app.engine.next = [() => makeTestSelfie(), fail, () => makeTestSelfie()]
    const { id } = await add({ name: 'Twice' })
    await expect.poll(() => stateOf(id)).toBe('draft')
    expect((await owner.get(`/admin/presets/${id}/sample-3`)).status).toBe(200)
  })

  test('a picture that no selfie can be made of is reported in words, and can be tried again', async () => {
    app.engine.next = [() => Promise.reject(new PhotoError('face_profile'))]
    const { id } = await add({ name: 'Profile' })
    await expect.poll(() => stateOf(id)).toBe('failed')
    expect(await pageOf(id)).toContain('turned too far away')
    expect((await owner.submit(`/admin/presets/${id}/retry`)).status).toBe(303)
    await expect.poll(() => stateOf(id)).toBe('draft')
    expect((await owner.submit(`/admin/presets/${id}/retry`)).status).toBe(422)
  })

  test('a picture without a face is refused before anything is kept, and what was typed stays', async () => {
    app.engine.inspection.refusals = ['face_missing']
    const refused = await add({ name: 'Cat' })
    app.engine.inspection.refusals = []
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(/id="add-picture-problem">No face was found/)
    expect(refused.text).toContain('value="Cat"')
    expect(await stateOf('cat')).toBeUndefined()
  })

  test('a picture is looked at before the other fields are filled in', async () => {
    app.engine.inspection.refusals = ['face_missing']
    const refused = await add({ name: '', licence: '' })
    app.engine.inspection.refusals = []
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(/id="add-picture-problem">No face was found/)
    expect(refused.text).toMatch(/id="add-name-problem">This is needed/)
    expect(refused.text).toContain('value="https://pictures.example/1"')
    const usable = await add({ name: '' })
    expect(usable.status).toBe(422)
    expect(usable.text).not.toContain('add-picture-problem')
    const large = await add({}, Buffer.alloc(uploadBytesMax + 1))
    expect(large.status).toBe(413)
    expect(large.text).toMatch(/<main class="alone">[^]*role="alert">[^<]*too large/)
  })

  test('another picture takes the place of one that no star can be cut out of', async () => {
    app.engine.next = [() => Promise.reject(new PhotoError('face_profile'))]
    const { id } = await add({ name: 'Replaced' })
    await expect.poll(() => stateOf(id)).toBe('failed')
    expect(await pageOf(id)).toMatch(/<button[^>]*>Choose another picture</)
    const send = (bytes: Uint8Array) => {
      const form = new FormData()
      form.append('picture', new Blob([Buffer.from(bytes)]), 'b.jpg')
      return owner.submit(`/admin/presets/${id}/retry`, form)
    }
    app.engine.inspection.refusals = ['face_missing']
    expect((await send(picture)).status).toBe(422)
    expect(await stateOf(id)).toBe('failed')
    app.engine.inspection.refusals = []
    expect((await send(picture)).status).toBe(303)
    await expect.poll(() => stateOf(id)).toBe('draft')
  })

  test('what a crash has left in the store is swept after an hour, and nothing else', async () => {
    const { store } = app.context
    const { id } = await addDraft({ name: 'Kept' })
    const orphan = starUploadKey(crypto.randomUUID())
    await store.put(orphan, picture, 'image/jpeg')
    const sweep = (minutes: number) => {
      const clock = () => new Date(Date.now() + minutes * 60_000)
      return sweepStarObjects({ ...app.context, clock }, new AbortController().signal)
    }
    await sweep(59)
    expect(await store.get(orphan)).toBeDefined()
    await sweep(61)
    expect(await store.get(orphan)).toBeUndefined()
    expect((await owner.get(`/admin/presets/${id}/original`)).status).toBe(200)
  })
})

describe('what is refused keeps nothing', () => {
  const counts = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from stars
    `.execute(app.context.database)
    const keys: string[] = []
    for await (const { key } of app.context.store.list('stars')) keys.push(key)
    return [rows[0]?.count, keys.length]
  }

  test.for([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['nothing', ''],
  ] as const)('%s', async ([, text]) => {
    const before = await counts()
    expect((await add({}, Buffer.from(text))).status).toBe(422)
    expect(await counts()).toEqual(before)
  })

  test.for(['licence', 'consent_note'] as const)('a star without its %s', async (field) => {
    const before = await counts()
    const { status, text } = await add({ [field]: ' ' })
    expect([status, text.includes(`add-${field}-problem`)]).toEqual([422, true])
    expect(await counts()).toEqual(before)
  })

  test('a star without the name that its licence asks for, which others don’t', async () => {
    const before = await counts()
    const { status, text } = await add({ licence: 'CC BY 4.0', attribution: ' ' })
    expect([status, text.includes('add-attribution-problem')]).toEqual([422, true])
    expect(await counts()).toEqual(before)
    expect(starRules.safeParse({ ...fields, attribution: '', source: '' }).success).toBe(true)
  })

  test('a star whose job can’t be written', async () => {
    const before = await counts()
    const jobs = { enqueue: () => Promise.reject(new Error('the queue is gone')) }
    const parts = { ...app.context, jobs, store: async () => app.context.store }
    const star = { ...starRules.parse(fields), picture, createdBy: 'kim' }
    await expect(addStar(parts, star)).rejects.toThrow('the queue is gone')
    expect(await counts()).toEqual(before)
  })

  test('an upload by somebody whose role may not', async () => {
    const support = await openOperator(app, 'support')
    const before = await counts()
    expect((await add({}, picture, support)).status).toBe(403)
    expect(await counts()).toEqual(before)
  })
})

test('what is told of a star is text, wherever it is shown', async () => {
  const xss = '"><img src=x onerror=alert(1)>'
  const { id } = await addDraft({
    name: `X ${xss}`.slice(0, 60),
    attribution: xss,
    consent_note: xss,
  })
  await owner.submit(`/admin/presets/${id}/publish`)
  for (const path of ['/admin/presets?q=X', `/admin/presets/${id}`]) {
    const { text } = await owner.get(path)
    expect(text).not.toContain('<img src=x')
  }
})

describe('ten thousand stars', () => {
  const many = 10_000
  beforeAll(async () => {
    await sql`
      insert into stars (id, name, category, line, licence, attribution, source, consent_note,
        object_folder, state, created_at, created_by)
      select 'many-' || n, 'Name ' || n, case when n % 2 = 0 then 'music' else 'sport' end,
        jsonb_build_object('en', 'Known for ' || n, 'es', 'Canción ' || n), 'CC0', 'nobody', 'test',
        'test', gen_random_uuid(), 'published', now(), 'test'
      from generate_series(1, ${sql.lit(many)}) as n
    `.execute(app.context.database)
    await app.context.presets.refresh()
  })

  test('come in pages, each once', async () => {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const answer = await list(cursor === null ? '' : `&cursor=${cursor}`)
      expect(answer.presets.length).toBeLessThanOrEqual(200)
      seen.push(...idsOf(answer))
      cursor = answer.nextCursor
    } while (cursor !== null)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((id) => id.startsWith('many-'))).toHaveLength(many)
  })

  test.for([
    ['q=name%209999', ['many-9999']],
    ['q=cancion%209123%20name', ['many-9123']],
    ['q=name%204242&category=sport', []],
  ] as const)('are found by %s', async ([query, expected]) => {
    const { presets, nextCursor } = await list(`&${query}`)
    expect(idsOf({ presets }).slice(0, 3)).toEqual(expected)
    expect(nextCursor).toBeNull()
  })

  test('fill the operator’s page in parts', async () => {
    const { text } = await owner.get('/admin/presets?q=many-99')
    expect(text.match(/<tr>/g)?.length).toBeLessThanOrEqual(51)
    expect(text).toContain('Next')
  })
})
