import { expect, test } from 'vitest'
import { openTestApp } from '../testing/open-test-app.ts'

test.each([3, 25])('ORDERS_PER_HOUR=%i lets so many through, also side by side', async (limit) => {
  await using app = await openTestApp({
    settings: { RATE_LIMITS: 'on', ORDERS_PER_HOUR: String(limit) },
    worker: false,
  })
  const { token } = await app.register()
  const buy = () => app.call('/api/orders', { token, json: { packageType: 'basic' } })
  const answers = await Promise.all(Array.from({ length: limit + 5 }, buy))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(5)
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(limit)
  const { body } = await app.call('/api/orders', { token })
  expect(body.items.length, 'an open order is given again').toBeLessThanOrEqual(limit)
  const other = await app.register()
  const another = await app.call('/api/orders', {
    token: other.token,
    json: { packageType: 'basic' },
  })
  expect(another.status).toBe(201)
})
