import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { countQueries } from '../../testing/count-queries.ts'
import { openOperator } from '../../testing/open-operator.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { createNotifications } from '../db/notifications.ts'
import { actCommands } from '../../operator/commands/act-commands.ts'
import type { OperatorCommands } from '../../operator/commands/operator-command.ts'
import { listCommands } from '../../operator/commands/list-commands.ts'
import { changeSite, listSiteChanges, undoSite } from './change-site.ts'
import { presentPackages, specifiedPackages } from './package-settings.ts'
import { openSite } from './site.ts'
import type { Site } from './site.ts'
import { runWords } from '../../testing/call-command.ts'

let app: TestApp
let otherNode: Site
let close: () => Promise<void>
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  const { context, databaseUrl } = app
  const { database, pool, log, config } = context
  const notifications = await createNotifications({ databaseUrl, pool, log })
  // Its timer stands still, so that only a notification can tell it.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  otherNode = await openSite({ database, notifications, log, fallbacks: config.siteFallbacks })
  vi.useRealTimers()
  close = async () => {
    otherNode.close()
    await notifications.close()
  }
})
afterAll(async () => {
  await close()
  await app[Symbol.asyncDispose]()
})

const changer = () => ({ operatorName: 'kim', now: new Date() })

const commands: OperatorCommands = { ...listCommands, ...actCommands }

async function run(...words: string[]) {
  const lines: string[] = []
  const { database, config, clock } = app.context
  const parts = {
    database,
    databaseUrl: app.databaseUrl,
    config,
    clock,
    print: (line: string) => lines.push(line),
  }
  const name = words.slice(0, 2).join(' ')
  const status = await runWords(commands[name], parts, words.slice(2))
  return { status, lines }
}

test('another node knows a change by its notification', async () => {
  expect(otherNode.values()['brand.name']).toBe('Starside')
  await changeSite(app.context.database, { 'brand.name': 'Glitter' }, changer())
  await expect.poll(() => otherNode.values()['brand.name']).toBe('Glitter')
  await expect.poll(() => app.context.site.values()['brand.name']).toBe('Glitter')
})

test('where nobody tells of a change, the database is asked for it, seconds apart', async () => {
  const { log, config } = app.context
  const { database, asked } = countQueries(app.context.database)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const site = await openSite({
    database,
    notifications: { subscribe: () => () => undefined },
    log,
    fallbacks: config.siteFallbacks,
  })
  asked.mockClear()
  vi.advanceTimersByTime(9_000)
  expect(asked).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1_000)
  expect(asked).toHaveBeenCalledOnce()
  site.close()
})

test('pages and public settings say what is set', async () => {
  await changeSite(app.context.database, { 'brand.contactEmail': 'us@glitter.example' }, changer())
  await app.context.site.refresh()
  expect((await app.call('/api/config')).body.contactEmail).toBe('us@glitter.example')
  const operator = await openOperator(app)
  expect((await operator.get('/admin')).text).toContain('<b>Glitter <small>operators</small></b>')
})

test('a change tells who, when, before and after, and is undone from the log', async () => {
  const operator = await openOperator(app)
  const { database } = app.context
  await changeSite(database, { 'brand.name': 'Mistake' }, changer())
  const [newest] = await listSiteChanges(database, { key: 'brand.name', limit: 1 })
  expect(newest).toMatchObject({ before: 'Glitter', after: 'Mistake', operator_name: 'kim' })
  const { status } = await operator.submit('/admin/log/undo', {
    id: 'brand.name',
    version: newest!.version,
  })
  expect([status, app.context.site.values()['brand.name']]).toEqual([303, 'Glitter'])
})

test('nothing is set by a form that was opened before somebody else’s change', async () => {
  const { database, site } = app.context
  await site.refresh()
  const seenVersion = site.version()
  await changeSite(database, { 'brand.name': 'Theirs' }, changer())
  const late = await changeSite(database, { 'brand.name': 'Mine' }, { ...changer(), seenVersion })
  expect(late).toBeUndefined()
  const other = { 'brand.socialUrl': 'https://social.example' }
  expect(await changeSite(database, other, { ...changer(), seenVersion })).toHaveLength(1)
  await undoSite(database, { key: 'brand.name', ...changer() })
})

test('the command line sets, tells, unsets and undoes', async () => {
  expect((await run('settings', 'set', 'brand.name', 'From', 'Terminal')).status).toBe(0)
  expect((await run('settings', 'list')).lines.join('\n')).toMatch(/brand\.name +"From Terminal"/)
  expect((await run('settings', 'undo', 'brand.name')).lines).toEqual(['Changed: Name.'])
  expect((await run('settings', 'unset', 'brand.name')).status).toBe(0)
  expect((await run('settings', 'list', 'brand.name')).lines[0]).toMatch(
    /"Glitter" → \(default\), by command line$/,
  )
})

test.each([
  ['brand.name', ''],
  ['brand.name', 'x'.repeat(41)],
  ['brand.name', 'two\nlines'],
  ['brand.name', 'turned \u202E around'],
  ['brand.contactEmail', 'nobody'],
  ['brand.contactEmail', 'nobody@localhost'],
  ['brand.socialUrl', 'javascript:alert(1)'],
  ['no.such', 'x'],
])('%s refuses %j', async (key, value) => {
  const { status, lines } = await run('settings', 'set', key, value)
  expect([status, lines.length]).toEqual([2, 1])
})

test('the contact address that an installation begins with on this machine can be set', async () => {
  expect((await run('settings', 'set', 'brand.contactEmail', 'hello@localhost')).status).toBe(0)
  expect((await run('settings', 'set', 'brand.contactEmail', 'hello@127.0.0.1')).status).toBe(0)
  expect((await run('settings', 'unset', 'brand.contactEmail')).status).toBe(0)
})

test('a stored value that this version does not accept counts as not set, and can be undone', async () => {
  const { database, site, pool } = app.context
  await changeSite(database, { 'brand.name': 'Before' }, changer())
  await changeSite(database, { 'brand.name': 'After' }, changer())
  await pool.query(`update site_settings set value = '{"not":"a name"}' where key = 'brand.name'`)
  await changeSite(database, { 'brand.socialUrl': 'https://new.example' }, changer())
  await site.refresh()
  expect(site.values()['brand.name']).toBe('Starside')
  expect((await run('settings', 'undo', 'brand.name')).status).toBe(0)
  await site.refresh()
  expect(site.values()['brand.name']).toBe('Before')
})

test('what a package lacks in a language is shown in English', () => {
  const [basic] = specifiedPackages
  if (basic === undefined) throw new Error('there is a package')
  const title = { ...basic.title, es: '' }
  const features = { ...basic.features, zh: [] }
  const [shown] = presentPackages([{ ...basic, title, features }])
  expect([shown?.title.es, shown?.title.zh]).toEqual([basic.title.en, basic.title.zh])
  expect(shown?.features.zh).toEqual(shown?.features.en)
})
