import { afterAll, beforeAll, expect, test } from 'vitest'
import { packagesSchema } from '../platform/site/package-settings.ts'
import { openOperator } from '../testing/open-operator.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { checkFields } from './check-fields.ts'

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
  [{ to: '2020-01-01' }, 'This day is over.'],
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

test('all that is wrong with a form is told at once, each beside its own field', async () => {
  const owner = await openOperator(app)
  const wrong = { title: '', name: 'A B', from: '', to: '', budget: '-5', deletionDays: '91' }
  const { text } = await owner.submit('/admin/events/create', wrong)
  const marked = [...text.matchAll(/id="create-(\w+)-problem"/g)].map(([, field]) => field)
  expect(new Set(marked)).toEqual(new Set(Object.keys(wrong)))
})

test('all that is wrong with one package of a setting is told, and what is said twice once', async () => {
  const given = app.context.site.values().packages
  const wrong = given.map((each) => ({ ...each, priceCents: 0, credits: 0 }))
  const checked = checkFields(packagesSchema, wrong)
  const told = 'At least $0.50. At least one.'
  expect(checked).toMatchObject({ problems: { 0: told, 1: told } })
  const untitled = wrong.map((each) => ({ ...each, title: {}, priceCents: 50, credits: 1 }))
  expect(checkFields(packagesSchema, untitled)).toMatchObject({
    problems: { 0: 'This is needed.' },
  })
})
