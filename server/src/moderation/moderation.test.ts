import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateForm } from '../testing/generate-form.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { loadClassifier } from './load-classifier.ts'

let folder: string
let app: TestApp
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starside-classifier-'))
  const module = join(folder, 'classifier.mjs')
  // Judges by a file beside it, so that a test can say what it finds.
  await writeFile(
    module,
    `import { readFile } from 'node:fs/promises'
     export default async () => ({
       name: 'stand-in',
       sendsPhotosTo: 'Stand-in Inc.',
       async judge(picture, { kind }) {
         const order = await readFile(new URL('./order.txt', import.meta.url), 'utf8').catch(() => '')
         if (order === 'break') throw new Error('the model is broken')
         if (order === kind + ' at length') return 'skin '.repeat(100)
         return order === kind && picture.length > 1000 ? 'too much skin' : undefined
       },
     })`,
  )
  app = await openTestApp({ settings: { MODERATION_CLASSIFIER: module } })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

async function generateWith(order: string) {
  await writeFile(join(folder, 'order.txt'), order)
  const { token, userId } = await app.register()
  const held = await app.call('/api/user?action=consume-credits', { token, json: {} })
  const answer = await app.call(`/api/ai?action=generate&holdId=${held.body.holdId}`, {
    token,
    form: await generateForm(),
  })
  const { body } = await app.call('/api/user?action=profile', { token })
  const { rows } = await sql<{ act: string; detail: string }>`
    select act, detail from moderation_log where user_id = ${userId}
  `.execute(app.context.database)
  return { answer, balance: body.user.creditsBalance, log: rows }
}

describe('a local classifier', () => {
  test.for(['photo', 'result'])(
    'that refuses a %s costs no credit and is on record',
    async (kind) => {
      const { answer, balance, log } = await generateWith(kind)
      expect(answer).toMatchObject({ status: 422, body: { code: 'picture_refused' } })
      expect(balance).toBe(1)
      expect(log).toEqual([{ act: 'picture refused', detail: 'stand-in: too much skin' }])
    },
  )

  test('that says a lot is on record with the beginning of it', async () => {
    const { answer, log } = await generateWith('photo at length')
    expect(answer.body.code).toBe('picture_refused')
    expect(log.map(({ detail }) => detail)).toEqual([`stand-in: ${'skin '.repeat(58)}`])
  })

  test.for(['nothing', 'break'])('that says %s lets the picture pass', async (order) => {
    const { answer, balance, log } = await generateWith(order)
    expect([answer.status, balance, log]).toEqual([200, 0, []])
  })

  test('that sends photos out is named in the public settings', async () => {
    const { body } = await app.call('/api/config')
    expect(body.photoRecipients).toEqual(['Stand-in Inc.'])
  })

  test('that cannot be loaded stops the start with a sentence', async () => {
    const load = (module: string | undefined) => loadClassifier({ module, thresholds: {} })
    await expect(load(join(folder, 'missing.mjs'))).rejects.toThrow(
      /^MODERATION_CLASSIFIER can't be loaded/,
    )
    const wrong = join(folder, 'wrong.mjs')
    await writeFile(wrong, 'export default 1')
    await expect(load(wrong)).rejects.toThrow(/^MODERATION_CLASSIFIER must be a module/)
    const silent = join(folder, 'silent.mjs')
    await writeFile(silent, "export default { name: 'judges nothing', judge: 'no' }")
    await expect(load(silent)).rejects.toThrow(/^MODERATION_CLASSIFIER must be a module/)
    expect(await load(undefined)).toBeUndefined()
  })
})
