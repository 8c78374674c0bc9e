import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPerson, openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { setSuspension } from './suspend-user.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

test('an account is found in whatever form the operator writes its e-mail', async () => {
  const email = `jos\u00E9-${crypto.randomUUID()}@example.org`
  const { token } = await app.register({ ...newPerson(), email })
  const written = ` ${email.normalize('NFD').toUpperCase()} `
  const suspend = { email: written, suspended: true, reason: 'a test' }
  expect(await setSuspension(app.context, suspend)).toBeDefined()
  const profile = await app.call('/api/user?action=profile', { token })
  expect(profile.body.code).toBe('account_suspended')
  expect(await setSuspension(app.context, { ...suspend, suspended: false })).toBeDefined()
  expect((await app.call('/api/user?action=profile', { token })).status).toBe(200)
})
