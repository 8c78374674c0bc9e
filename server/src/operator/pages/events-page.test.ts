import { existsSync } from 'node:fs'
import texts from '@starside/contract/texts/en/dashboard.json' with { type: 'json' }
import { eventHeader } from '@starside/contract/event-formats.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditBooks } from '../../ledger/credits/audit.ts'
import { openEvent } from '../../testing/open-event.ts'
import { openOperator } from '../../testing/open-operator.ts'
import type { OperatorBrowser } from '../../testing/open-operator.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { createTestJpeg } from '../../testing/test-photo.ts'
import { updateRows } from '../../platform/db/rows.ts'
import { readPage } from '../testing/read-page.ts'

let app: TestApp
let owner: OperatorBrowser
beforeAll(async () => {
  app = await openTestApp()
  owner = await openOperator(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const about = {
  title: 'Opening night',
  from: '2026-01-01 18:00',
  to: '2099-01-01 23:00',
  budget: '40',
}

async function make(name: string, changes: Record<string, string | Blob> = {}) {
  const form = new FormData()
  for (const [field, value] of Object.entries({ name, ...about, ...changes })) {
    form.append(field, value)
  }
  return owner.submit('/admin/events/create', form)
}

const read = async (name: string) => (await app.call(`/api/events/${name}`)).body.event

test('an event is made with what its form says, and all that is left empty', async () => {
  const { flash, location } = await make('opening')
  expect(flash).toBe('done Opening night is at https://selfie.example/e/opening.')
  const event = await read('opening')
  expect(event).toMatchObject({
    state: 'running',
    selfiesPerGuest: 3,
    languages: ['en', 'zh', 'es'],
    printFormats: [],
    hasWall: true,
  })
  expect(event.stars.length).toBeGreaterThan(10)
  expect(event.consent.words.es).toContain('Tengo al menos 16')
  const page = await owner.get(location ?? '')
  expect(page.text).toContain('https://selfie.example/e/opening</a>')
  expect(page.text).toContain('<svg')
  for (const place of ['kiosk', 'moderate', 'print', 'wall']) {
    expect(page.text).toContain(`/e/opening/${place}<`)
  }
  expect(page.text).toContain('A large screen: shows approved selfies')
  expect(page.text).toMatch(
    /<time datetime="2026-01-01T18:00:00.000Z" title="2026-01-01T18:00:00.000Z"\s*>1 Jan 2026, 18:00 UTC</,
  )
  expect(page.text).toContain('0 used, 0 held by guests, 40 free')
  const list = await owner.get('/admin/events')
  expect(list.text).toMatch(/\/e\/opening<[^]*?1 Jan 2026, 18:00 UTC<[^]*?1 Jan 2099, 23:00 UTC</)
  expect((await auditBooks(app.context.database)).findings).toEqual([])
})

test('each scene of the form is shown by a picture that the web app has', async () => {
  const { text } = await owner.get('/admin/events')
  const addresses = [...text.matchAll(/src="(\/examples\/[^"]+)"/g)].map(([, address]) => address)
  expect(addresses.length).toBeGreaterThan(10)
  const publicFolder = new URL('../../../../web/public', import.meta.url)
  expect(addresses.filter((address) => !existsSync(`${publicFolder.pathname}${address}`))).toEqual(
    [],
  )
})

test('an event can be made without a budget, and filled later', async () => {
  const { flash } = await make('unfilled', { budget: '0' })
  expect(flash).toContain('done Opening night')
  expect((await read('unfilled')).hasCredits).toBe(false)
})

test('the stars, scenes and prints that are ticked are its own, and begin ticked where it is changed', async () => {
  const form = new FormData()
  for (const [field, value] of Object.entries({
    name: 'ticked',
    ...about,
    from: '2026-01-01T18:00',
  })) {
    form.append(field, value)
  }
  const ticks = { stars: ['mina-asakuri', 'henrik-solmark'], scenes: ['cafe'], prints: ['strip'] }
  for (const [field, values] of Object.entries(ticks)) {
    for (const value of ['', ...values]) form.append(field, value)
  }
  const { location } = await owner.submit('/admin/events/create', form)
  const event = await read('ticked')
  expect(event.stars.map(({ id }: { id: string }) => id).toSorted()).toEqual(ticks.stars.toSorted())
  expect(event).toMatchObject({ scenes: ['cafe'], printFormats: ['strip'] })
  const { text } = await owner.get(location ?? '')
  expect(text.match(/value="[\w-]+"\s+checked/g)).toHaveLength(7)
  expect(text).toMatch(/type="datetime-local"\s+value="2026-01-01T18:00"/)
  const untick = new FormData()
  for (const field of Object.keys(ticks)) untick.append(field, '')
  await owner.submit(`${location}/edit`, untick)
  expect((await read('ticked')).stars.length).toBeGreaterThan(10)
  expect((await read('ticked')).printFormats).toEqual([])
})

test('every star of the form can be ticked at once', async () => {
  const form = new FormData()
  for (const [field, value] of Object.entries({ name: 'all', ...about })) form.append(field, value)
  const stars = app.context.presets.list()
  for (const { id } of stars) form.append('stars', id)
  await owner.submit('/admin/events/create', form)
  expect((await read('all')).stars).toHaveLength(stars.length)
})

test('its own background and frame are served; pictures that can’t be are refused', async () => {
  const jpeg = await createTestJpeg({ red: 10, green: 10, blue: 200 })
  const seeThrough = { channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } } as const
  const png = await sharp({ create: { width: 400, height: 500, ...seeThrough } })
    .png()
    .toBuffer()
  const blob = (bytes: Buffer, type: string) => new Blob([Uint8Array.from(bytes)], { type })
  const background = blob(jpeg, 'image/jpeg')
  const refused = await make('pictures', { background, frame: background })
  expect(refused.text).toContain('Nothing was changed.')
  expect(refused.text, 'as either may be the one').not.toContain('Choose another picture.')
  await make('pictures', { background, frame: blob(png, 'image/png') })
  const { backgroundUrl } = await read('pictures')
  expect((await app.call(backgroundUrl)).headers.get('content-type')).toBe('image/jpeg')
  expect(
    (await app.call(backgroundUrl.replace('background', 'frame'))).headers.get('content-type'),
  ).toBe('image/png')
})

test.each([
  ['an address that is taken', { name: 'taken' }, 'Another event has this address.'],
  ['an address of capitals', { name: 'Opening' }, 'Small letters, digits and hyphens'],
  ['an end before the beginning', { to: '2025-01-01 10:00' }, 'The end must not lie before'],
  ['a day that isn’t one', { from: 'tomorrow' }, 'As 2026-12-01 18:00, in UTC.'],
  ['a day of no month', { from: '2026-02-30T10:00' }, 'There is no such day or time.'],
  ['a star that isn’t offered', { stars: 'nobody' }, 'There is no star &#39;nobody&#39; on offer.'],
  ['a scene that there isn’t', { scenes: 'the-moon' }, 'Accepted are: own, sunny-street'],
])('%s is refused', async (_what, changes, sentence) => {
  await make('taken')
  const { text } = await make('refused', changes)
  expect(text).toContain(sentence)
  expect((await app.call('/api/events/refused')).status).toBe(404)
})

test('is changed, filled, opened by links and ended by acts', async () => {
  const { location } = await make('acts')
  const page = location ?? ''
  const reason = 'as agreed'
  const sent = async (act: string, fields: Record<string, string> = {}) =>
    (await owner.submit(`${page}/${act}`, { reason, ...fields })).flash
  expect(await sent('edit', { title: 'Closing night', wall: 'no' })).toBe(
    'done Closing night is changed.',
  )
  expect(await read('acts')).toMatchObject({ title: 'Closing night', hasWall: false })
  const once = crypto.randomUUID()
  expect(await sent('budget', { credits: '10', once })).toBe('done 10 credits given to the budget.')
  expect(await sent('budget', { credits: '10', once })).toBe('done 10 credits given to the budget.')
  expect(await sent('budget', { credits: '-80' })).toBe('done 50 credits taken from the budget.')
  expect((await read('acts')).hasCredits).toBe(false)
  const { text } = await owner.submit(`${page}/link`, { role: 'moderator' })
  const key = /\/e\/acts\/moderate#key=([\w-]+)/.exec(text)?.[1]
  const open = () =>
    app.call('/api/events/acts/open', {
      json: { role: 'moderator', key },
      headers: { [eventHeader]: 'acts' },
    })
  const before = app.context.clock().getTime()
  const opened = await open()
  expect(opened.status).toBe(200)
  const seconds = Number(/Max-Age=(\d+)/.exec(opened.headers.getSetCookie().join())?.[1])
  const deletedAt = Date.parse('2099-01-08T23:00Z')
  const secondsUntilThen = (at: number) => (deletedAt - at) / 1_000
  expect(seconds, 'as long as there are guests').toBeLessThan(secondsUntilThen(before) + 1)
  expect(seconds).toBeGreaterThan(secondsUntilThen(app.context.clock().getTime()) - 1)
  expect((await open()).body).toMatchObject({ code: 'event_link_unknown' })
  const link = /name="link" value="([\w-]+)"/.exec((await owner.get(page)).text)?.[1] ?? ''
  expect(await sent('withdraw', { link })).toBe('done The link no longer works.')
  expect(await sent('end')).toBe('done Closing night is over.')
  expect((await read('acts')).state).toBe('over')
  expect((await auditBooks(app.context.database)).findings).toEqual([])
})

test.each([
  ['changed', 'edit', { title: 'Again' }],
  ['filled', 'budget', { credits: '1', reason: 'as agreed' }],
  ['opened by a new link', 'link', { role: 'kiosk' }],
] as const)('a deleted event can’t be %s', async (_what, act, fields) => {
  const { row } = await openEvent(app)
  const { database, clock } = app.context
  await updateRows(database, 'events', { match: { id: row.id }, set: { deleted_at: clock() } })
  const { text } = await owner.submit(`/admin/events/${row.id}/${act}`, fields)
  expect(text).toContain('There is no such event.')
})

test('a browser whose link was withdrawn is out', async () => {
  const event = await openEvent(app)
  const cookie = await event.open('attendant')
  expect((await event.call('/prints', { headers: { cookie } })).status).toBe(200)
  const { text } = await owner.get(`/admin/events/${event.row.id}`)
  const link = /name="link" value="([\w-]+)"/.exec(text)?.[1] ?? ''
  await owner.submit(`/admin/events/${event.row.id}/withdraw`, { link })
  expect((await event.call('/prints', { headers: { cookie } })).status).toBe(403)
})

test('counts by star, scene and hour are saved as CSV, without guests', async () => {
  const event = await openEvent(app)
  const guest = await event.join()
  await guest.generate()
  await guest.generate({ presetId: 'henrik-solmark', scene: 'stage' })
  const { text } = await owner.get(`/admin/events/${event.row.id}/csv`)
  const hour = /\d{4}-\d\d-\d\d \d\d:00/.source
  expect(text).toMatch(
    new RegExp(
      `^hour \\(UTC\\),star,scene,selfies,prints\r\n` +
        `${hour},Elena Vassandri,cafe,1,0\r\n${hour},Henrik Solmark,stage,1,0\r\n$`,
    ),
  )
  const page = readPage((await owner.get(`/admin/events/${event.row.id}`)).text)
  expect(page.tables['Counts']).toMatchObject([
    { Star: 'Elena Vassandri', Scene: texts.scenes.cafe, Selfies: '1', Prints: '0' },
    { Star: 'Henrik Solmark', Scene: texts.scenes.stage, Selfies: '1', Prints: '0' },
  ])
  expect(page.facts).toMatchObject({ Selfies: '2', Prints: '0' })
  expect(page.facts['Budget']).toMatch(/^2 used, /)
})
