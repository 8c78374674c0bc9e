import { keysOf } from '@starside/contract/keys-of.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeSetting, environmentSchema } from '../../settings/environment-schema.ts'
import { openOperator } from '../../testing/open-operator.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { readPage } from '../testing/read-page.ts'

const names = keysOf(environmentSchema.shape)
const hidden = 'a-text-that-nobody-is-shown-0123456789'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({
    worker: false,
    settings: {
      SMTP_URL: `smtps://me:${hidden}@mail.example`,
      SIGNING_SECRET: hidden,
      FAL_KEY: hidden,
      COMFYUI_BASE_URL: `http://me:one@${hidden}@gpu:8188`,
      ORDERS_PER_HOUR: '17',
    },
  })
})
afterAll(() => app[Symbol.asyncDispose]())

async function readValues() {
  const { text } = await (await openOperator(app)).get('/admin/settings')
  const { tables } = readPage(text)
  const rows = Object.values(tables).flat()
  const values = Object.fromEntries(rows.map((row) => [row['Setting'] ?? '', row['Value'] ?? '']))
  return { text, values, tables }
}

test('an owner reads every variable of the environment with its value and what it is for', async () => {
  const { text, values } = await readValues()
  expect(Object.keys(values).toSorted()).toEqual(names.toSorted())
  expect(values).toMatchObject({ ORDERS_PER_HOUR: '17', HEADERS_TIMEOUT_SECONDS: '20' })
  expect(values['CONTACT_EMAIL']).toBe('not set')
  expect(text).toContain('Mail server, <code>smtps://user:password@host</code>.')
})

test('what was set is read first, and the rest in folded sections', async () => {
  const { text, tables } = await readValues()
  const set = tables['Changed']?.map((row) => row['Setting'])
  expect(set).toEqual(expect.arrayContaining(['ORDERS_PER_HOUR', 'SMTP_URL', 'FAL_KEY']))
  expect(set).not.toContain('HEADERS_TIMEOUT_SECONDS')
  const sections = [...text.matchAll(/<details class="section">\s*<summary><h3>([^<]+)/g)]
  expect(Object.keys(tables).slice(1)).toEqual(sections.map(([, title]) => title))
  expect(sections.length).toBeGreaterThan(10)
  expect(tables['Limits']?.map((row) => row['Setting'])).toContain('SHARES_PER_HOUR')
})

test('of a key or password is shown only whether it is set, and of an address not its password', async () => {
  const { text, values } = await readValues()
  expect(text).not.toContain(hidden)
  expect(values).toMatchObject({ SMTP_URL: 'set', SIGNING_SECRET: 'set', FAL_KEY: 'set' })
  expect(values).toMatchObject({ OPENAI_API_KEY: 'not set', COMFYUI_BASE_URL: 'http://…@gpu:8188' })
})

test('no variable that is told to hold a key, a secret or a password is shown', async () => {
  const { settings } = app.context.config
  const every = Object.fromEntries(names.map((name) => [name, hidden]))
  const own = { ...settings }
  Object.assign(settings, every)
  const { values } = await readValues().finally(() => Object.assign(settings, own))
  const telling = names.filter((name) =>
    /\bkey\b|\bsecret|password|database/i.test(describeSetting(name)),
  )
  expect(telling.length).toBeGreaterThan(15)
  expect(telling.filter((name) => values[name] === hidden)).toEqual(['DATA_DIR'])
})
