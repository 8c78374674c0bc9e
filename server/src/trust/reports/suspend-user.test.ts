import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPerson, openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { setSuspension } from './suspend-user.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

test('an account is found in whatever form the operator writes its e-mail, and opened again it asks to sign in anew', async () => {
  const email = `jos\u00E9-${crypto.randomUUID()}@example.org`
  const person = { ...newPerson(), email }
  const { token } = await app.register(person)
  const written = ` ${email.normalize('NFD').toUpperCase()} `
  const suspend = { email: written, suspended: true, reason: 'a test' }
  expect(await setSuspension(app.context, suspend)).toBeDefined()
  const profile = await app.call('/api/user?action=profile', { token })
  expect(profile.body.code).toBe('account_suspended')
  expect(await setSuspension(app.context, { ...suspend, suspended: false })).toBeDefined()
  // Whoever had it while it was suspended doesn't get back in by an older session.
  expect((await app.call('/api/user?action=profile', { token })).status).toBe(401)
  const { body } = await app.call('/api/auth?action=login', { json: person })
  const again = await app.call('/api/user?action=profile', { token: body.token })
  expect(again.status).toBe(200)
  const logged = await app.context.database
    .selectFrom('moderation_log')
    .select(['act', 'actor', 'detail'])
    .orderBy('id')
    .execute()
  const by = { actor: 'operator', detail: 'a test' }
  expect(logged).toEqual([
    { ...by, act: 'account suspended' },
    { ...by, act: 'account unsuspended' },
  ])
})
