import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { generateForm } from '../../testing/generate-form.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { makeTestSelfie } from '../../testing/scripted-engine.ts'
import { auditBooks } from './audit.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())
afterEach(async () => {
  expect((await auditBooks(app.context.database)).findings).toEqual([])
})

const balance = async (token: string) =>
  (await app.call('/api/user?action=profile', { token })).body.user.creditsBalance
const placeHold = async (token: string): Promise<string> =>
  (await app.call('/api/user?action=consume-credits', { token, json: {} })).body.holdId
const release = (token: string, holdId: unknown) =>
  app.call('/api/user?action=release-hold', { token, json: { holdId } })

test('one’s own hold comes back at once, and only once however often it is asked for', async () => {
  const { token } = await app.register()
  const holdId = await placeHold(token)
  expect(await balance(token)).toBe(0)
  expect((await release(token, holdId)).body).toEqual({ success: true, released: true })
  expect((await release(token, holdId)).body).toEqual({ success: true, released: false })
  expect(await balance(token)).toBe(1)
})

test('many releases at once give the credit back once', async () => {
  const { token } = await app.register()
  const holdId = await placeHold(token)
  const answers = await Promise.all(Array.from({ length: 20 }, () => release(token, holdId)))
  expect(answers.filter(({ body }) => body.released)).toHaveLength(1)
  expect(await balance(token)).toBe(1)
})

test('the hold of somebody else, and one that never was, stay as they are', async () => {
  const [owner, other] = [await app.register(), await app.register()]
  const holdId = await placeHold(owner.token)
  for (const id of [holdId, crypto.randomUUID()]) {
    expect((await release(other.token, id)).body).toEqual({ success: true, released: false })
  }
  expect([await balance(owner.token), await balance(other.token)]).toEqual([0, 1])
})

test('a hold that a picture has claimed is not given back', async () => {
  const { token } = await app.register()
  const holdId = await placeHold(token)
  let told: unknown
  app.engine.next = [
    async () => {
      told = (await release(token, holdId)).body
      return makeTestSelfie()
    },
  ]
  const made = await app.call('/api/ai?action=generate', { token, form: await generateForm() })
  expect(made.status).toBe(200)
  expect(told).toEqual({ success: true, released: false })
  expect((await release(token, holdId)).body.released).toBe(false)
  expect(await balance(token)).toBe(0)
})

test('what is no id of a hold is refused', async () => {
  const { token } = await app.register()
  expect((await release(token, 'none')).body.code).toBe('invalid_request')
})
