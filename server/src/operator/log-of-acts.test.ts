import { afterAll, beforeAll, expect, test } from 'vitest'
import { actCommands } from './commands/act-commands.ts'
import { siteKeys } from '../platform/site/site-settings.ts'
import { failInserts } from '../testing/fail-inserts.ts'
import { openOperator, operatorPassword } from '../testing/open-operator.ts'
import type { OperatorBrowser } from '../testing/open-operator.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { operatorPages } from './operator-pages.ts'
import { runWords } from '../testing/call-command.ts'

let app: TestApp
let owner: OperatorBrowser
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  owner = await openOperator(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const rows = () =>
  app.context.database.selectFrom('operator_log').selectAll().orderBy('id').execute()

const forms = operatorPages.flatMap((page) =>
  Object.entries(page.forms ?? {}).map(([name, form]) => ({
    page,
    name,
    act: form.name ?? `${page.title}: ${name}`,
  })),
)

test.each(forms)(
  '$page.path/$name leaves a row that says who, when and what',
  async ({ page, name, act }) => {
    const before = await rows()
    const path = page.path.replaceAll(/:\w+/g, 'nobody')
    await owner.submit(`${path}/${name}`, {})
    expect((await rows()).slice(before.length)).toEqual([
      expect.objectContaining({
        at: expect.any(Date),
        operator_name: expect.stringMatching(/^owner-/),
        act,
        outcome: expect.stringMatching(/^(?:done|refused|failed)$/),
      }),
    ])
  },
)

test('a form that breaks leaves a row that says so', async () => {
  await failInserts(app.context.pool, 'operators')
  const { status } = await owner.submit('/admin/operators/add', {
    id: 'kim',
    role: 'support',
    current: operatorPassword,
  })
  await app.context.pool.query('drop trigger fails on operators')
  expect(status).toBe(500)
  expect((await rows()).at(-1)).toMatchObject({ act: 'operator add', outcome: 'failed' })
})

function runSettings(name: string, ...words: string[]) {
  const { config, database, clock } = app.context
  const parts = { config, database, databaseUrl: app.databaseUrl, clock, print: () => undefined }
  return runWords(actCommands[name], parts, words)
}

test('a changed setting is kept with what it was and what it became', async () => {
  await runSettings('settings set', 'brand.name', 'Glitter')
  await runSettings('settings set', 'brand.name', 'Glimmer')
  const changes = await app.context.database
    .selectFrom('site_setting_changes')
    .selectAll()
    .orderBy('version')
    .execute()
  expect(changes.at(-1)).toMatchObject({
    key: 'brand.name',
    before: 'Glitter',
    after: 'Glimmer',
    operator_name: 'command line',
  })
})

test('every setting that can be changed in the browser can be put back by command', async () => {
  const { database, site } = app.context
  await runSettings('settings unset', 'brand.name')
  await site.refresh()
  const defaults = site.values()
  // Also what no version accepts.
  const value = JSON.stringify({ no: 'such value' })
  for (const key of siteKeys) {
    await database
      .insertInto('site_settings')
      .values({ key, value, version: '0' })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
    expect([key, await runSettings('settings unset', key)]).toEqual([key, 0])
  }
  await site.refresh()
  expect(site.values()).toEqual(defaults)
  const left = await database.selectFrom('site_settings').select('key').execute()
  expect(left).toEqual([])
})
