import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOperator } from '../testing/open-operator.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { readFirstSteps } from './first-steps.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

const stateOf = async (name: string) =>
  (await readFirstSteps(app.context)).find((step) => step.name === name)

test('each step of a new installation says how it stands and what to do', async () => {
  expect(await stateOf('Address')).toMatchObject({ state: 'green' })
  expect(await stateOf('Payments')).toMatchObject({ state: 'amber' })
  expect(await stateOf('Privacy')).toMatchObject({ state: 'red', href: '/admin/legal' })
  expect(await stateOf('Clock')).toMatchObject({ state: 'green' })
  expect(await stateOf('Stars')).toMatchObject({ state: 'green' })
  const local = {
    ...app.context.config,
    publicHost: 'localhost',
    publicUrl: 'http://localhost:3000',
  }
  const steps = await readFirstSteps({ ...app.context, config: local })
  expect(steps.find(({ name }) => name === 'Address')).toMatchObject({ state: 'red' })
})

test('a payment provider that refuses the key is red, one that warns of a price amber', async () => {
  const { payments } = app.context
  const asked = async (checkPrices: () => Promise<string[]>) => {
    const active = {
      ...payments.active,
      name: 'nowpayments',
      checkPrices,
    } as typeof payments.active
    const steps = await readFirstSteps({ ...app.context, payments: { ...payments, active } })
    return steps.find(({ name }) => name === 'Payments')
  }
  expect(await asked(async () => [])).toMatchObject({ state: 'green' })
  expect(await asked(async () => ['Too little.'])).toMatchObject({
    state: 'amber',
    finding: 'Too little.',
  })
  expect(await asked(() => Promise.reject(new Error('no')))).toMatchObject({ state: 'red' })
})

test('the page shows the steps and sends a test mail', async () => {
  const owner = await openOperator(app)
  const { status, text } = await owner.get('/admin/first-steps')
  expect([status, text.includes('Without a second factor')]).toEqual([200, true])
  const sent = await owner.submit('/admin/first-steps/test-mail', { to: 'me@example.test' })
  expect([sent.status, app.mails.at(-1)?.subject]).toEqual([303, 'A test from Starside'])
  expect((await owner.submit('/admin/first-steps/test-mail', { to: 'nobody' })).status).toBe(422)
})
