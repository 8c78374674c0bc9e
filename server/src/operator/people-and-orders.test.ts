import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditBooks } from '../ledger/credits/audit.ts'
import { openOperator } from '../testing/open-operator.ts'
import type { OperatorBrowser } from '../testing/open-operator.ts'
import { openShopper } from '../testing/open-shopper.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { deleteOldRequestNotes, noteRequests } from './note-requests.ts'

let app: TestApp
let owner: OperatorBrowser
let support: OperatorBrowser
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  owner = await openOperator(app)
  support = await openOperator(app, 'support')
})
afterAll(() => app[Symbol.asyncDispose]())

const log = () =>
  app.context.database
    .selectFrom('operator_log')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

async function somebody(username = 'Somebody') {
  const email = `somebody-${crypto.randomUUID().slice(0, 8)}@example.test`
  const { token } = await app.register({ email, username })
  const { body } = await app.call('/api/user?action=profile', { token })
  return {
    email,
    token,
    path: `/admin/users/${(body as { user: { userId: string } }).user.userId}`,
  }
}

const balanceOf = async (token: string) => {
  const { body } = await app.call('/api/user?action=profile', { token })
  return (body as { user: { creditsBalance: number } }).user.creditsBalance
}

test('credits are given with a reason, once for a form that is sent twice, and it is logged', async () => {
  const { token, path } = await somebody()
  const fields = { credits: '7', reason: 'a lost picture', once: crypto.randomUUID() }
  const [first, second] = [
    await support.submit(`${path}/grant`, fields),
    await support.submit(`${path}/grant`, fields),
  ]
  expect([first.status, second.status]).toEqual([303, 303])
  expect(await balanceOf(token)).toBe(8)
  expect((await log()).reason).toBe('a lost picture')
  const { text } = await support.get(path)
  expect(text).toContain('a lost picture')
  expect((await auditBooks(app.context.database)).findings).toEqual([])
})

test('what is done on a page is done to whom its address names, whoever a field names', async () => {
  const [named, other] = [await somebody(), await somebody()]
  const id = other.path.split('/').at(-1) ?? ''
  const fields = { id, credits: '7', reason: 'a test', once: crypto.randomUUID() }
  expect((await support.submit(`${named.path}/grant`, fields)).status).toBe(303)
  expect([await balanceOf(named.token), await balanceOf(other.token)]).toEqual([8, 1])
})

test.each([
  [{ credits: '0' }, 'Please enter 1 or more.'],
  [{ credits: '' }, 'This is needed.'],
  [{ credits: '-5' }, 'Please enter 1 or more.'],
  [{ credits: '9'.repeat(15) }, 'Please enter 100,000 or less.'],
  [{ credits: '1e3' }, 'Please enter a whole number.'],
  [{ credits: '100001' }, 'Please enter 100,000 or less.'],
  [{ reason: ' ' }, 'Please say why'],
])('giving credits with %j is refused beside the field', async (wrong, told) => {
  const { token, path } = await somebody()
  const fields = { credits: '1', reason: 'a test', once: crypto.randomUUID(), ...wrong }
  const { status, text } = await support.submit(`${path}/grant`, fields)
  expect([status, text.includes(told), await balanceOf(token)]).toEqual([422, true, 1])
})

test('only an owner takes credits or deletes, and only with the right e-mail', async () => {
  const { email, token, path } = await somebody()
  const take = { credits: '5', reason: 'a test', once: crypto.randomUUID() }
  expect((await support.submit(`${path}/take`, take)).status).toBe(403)
  expect((await owner.submit(`${path}/take`, take)).status).toBe(303)
  expect(await balanceOf(token)).toBe(0)
  const wrong = await owner.submit(`${path}/delete`, {
    email: 'other@example.test',
    reason: 'asked',
  })
  expect([wrong.status, (await owner.get(path)).status]).toEqual([422, 200])
  expect((await support.submit(`${path}/delete`, { email, reason: 'asked' })).status).toBe(403)
  expect((await owner.submit(`${path}/delete`, { email, reason: 'asked' })).status).toBe(303)
  expect((await owner.get(path)).status).toBe(404)
})

test('a person’s data is exported, which leaves a trace', async () => {
  const { email, path } = await somebody()
  const { status, text } = await support.get(`${path}/data.json`)
  expect([status, text.includes(email)]).toEqual([200, true])
  expect((await log()).act).toBe('user export')
})

test('a name with markup is text on every page that shows it', async () => {
  const { path } = await somebody('<script>alert(1)')
  for (const page of ['/admin/users', path]) {
    const { text } = await owner.get(page)
    expect([text.includes('&lt;script&gt;'), text.includes('<script>alert')]).toEqual([true, false])
  }
})

test('the search leads to people, orders and the owner of a picture', async () => {
  const purchase = await openShopper(app).order('basic')
  const search = async (text: string) =>
    (await support.get(`/admin/users?q=${encodeURIComponent(text)}`)).text
  expect(await search(`Where is ${purchase.orderId}?`)).toContain(
    `/admin/orders/${purchase.orderId}`,
  )
  expect(await search('https://selfie.example/?selfie=AAAAAAAAAAAAAAAAAAAAAA')).toContain(
    'Nothing was found.',
  )
})

test('the id of a failed request or of an order leads to the person', async () => {
  const { token, path } = await somebody()
  const refused = await app.call('/api/orders', { token, json: { packageType: 'no such' } })
  const malformed = await app.call('/api/user?action=redeem-voucher', { token, json: {} })
  const ordered = await app.call('/api/orders', { token, json: { packageType: 'basic' } })
  const stranger = await app.call('/api/orders', { json: { packageType: 'basic' } })
  const read = await app.call('/api/user?action=profile', { token })
  const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id') ?? ''
  const search = async (id: string) => (await support.get(`/admin/users?q=${id}`)).text
  await expect.poll(() => search(idOf(refused))).toContain(`href="${path}"`)
  await expect.poll(() => search(idOf(ordered))).toContain(`href="${path}"`)
  expect(await search(idOf(refused))).toContain('POST /api/orders, answered 4')
  expect(await search(idOf(malformed))).toContain('answered 400 invalid_request')
  const later = await app.call('/api/orders', { token, json: { packageType: 'no such' } })
  await expect.poll(() => search(idOf(later))).toContain(`href="${path}"`)
  // Strangers' failures and readings that went well fill no table.
  for (const answer of [stranger, read])
    expect(await search(idOf(answer))).toContain('Nothing was found.')
  const { database } = app.context
  await deleteOldRequestNotes(database, new Date(Date.now() + 31 * 24 * 60 * 60_000))
  expect(await search(idOf(refused))).not.toContain('answered')
})

test('ids of the last second before the program stops are not lost', async () => {
  const requestId = crypto.randomUUID()
  const stopping = fastify({ genReqId: () => requestId })
  const [written, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const database = app.context.database.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      written.resolve()
      await answered.promise
      return result
    },
  })
  noteRequests(stopping, { ...app.context, database })
  stopping.get('/broken', async (_request, reply) => reply.status(500).send())
  await stopping.inject('/broken')
  let hasStopped = false
  const stop = stopping.close().then(() => (hasStopped = true))
  await written.promise
  expect(hasStopped, 'before it is known that they are kept').toBe(false)
  answered.resolve()
  await stop
  const { text } = await support.get(`/admin/users?q=${requestId}`)
  expect(text).toContain('answered 500. Nobody was signed in.')
})

test('an underpaid order is credited with its worth by support, and refunded by an owner alone', async () => {
  const purchase = await openShopper(app).order('basic')
  await purchase.act('underpay', { share: 0.5 })
  const path = `/admin/orders/${purchase.orderId}`
  expect((await support.get(path)).text).toContain('Credit the part paid: 50 credits')
  const reason = { reason: 'the buyer asked' }
  expect((await support.submit(`${path}/credit-worth`, reason)).status).toBe(303)
  expect((await support.submit(`${path}/credit-worth`, reason)).status).toBe(422)
  expect(await purchase.credits()).toEqual({ balance: 51, bought: 50 })
  expect((await support.submit(`${path}/refund`, reason)).status).toBe(403)
  expect((await owner.submit(`${path}/refund`, reason)).flash).toContain('50 credits taken back')
  expect(await log()).toMatchObject({ act: 'orders refund', subject: purchase.orderId })
  const { text } = await owner.get(path)
  expect(text).toContain('credited in part')
  expect(text).toContain('basic: $5.00 of $10.00, 100 credits, of which 50 granted')
  const { text: list } = await owner.get('/admin/orders')
  const listed = list.split('<tr').find((row) => row.includes(`>${purchase.orderId}</a>`))
  expect(listed).toMatch(/\$5\.00 of \$10\.00<.*>\s*50\s*</s)
  expect(listed, 'as its buyer reads it').toContain('<span title="completed">paid</span>')
  expect(text).toContain('<span title="completed">paid</span>')
  expect((await auditBooks(app.context.database)).findings).toEqual([])
})
