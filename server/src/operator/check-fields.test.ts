import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOperator } from '../testing/open-operator.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

test.each([
  [{ name: '' }, 'This is needed.'],
  [{ name: 'n'.repeat(81) }, 'At most 80 characters.'],
  [{ credits: '-5' }, 'Please enter 1 or more.'],
  [{ credits: '10001' }, 'Please enter 10,000 or less.'],
  [{ credits: 'five' }, 'Please enter a number.'],
  [{ credits: '1.5' }, 'Please enter a whole number.'],
  [{ from: 'tomorrow' }, 'Please enter a day, such as 2027-01-31.'],
])('vouchers of %j are refused at the field alone: %s', async (changed, sentence) => {
  const owner = await openOperator(app)
  const fields = { name: 'Fair', credits: '5', ...changed }
  const { status, text } = await owner.submit('/admin/vouchers/create', fields)
  expect(status).toBe(422)
  const [alert, ...marked] = [...text.matchAll(/<p class="(?:told problem|bad)"[^>]*>([^<]*)</g)]
  expect(alert?.[1]).toBe('Not saved. Please look at the marked fields.')
  expect(marked.map(([, told]) => told)).toEqual([sentence])
  expect(text).toContain(`id="create-${Object.keys(changed).join()}-problem">${sentence}`)
})

test('a choice that there is not names those that there are', async () => {
  const owner = await openOperator(app)
  const { text } = await owner.submit('/admin/events/create', { wall: 'maybe' })
  expect(text).toContain('id="create-wall-problem">One of yes, no.')
})
