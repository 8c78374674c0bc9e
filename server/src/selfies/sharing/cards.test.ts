import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newPerson, openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { grantCredits } from '../../ledger/credits/grant.ts'
import { changeSite } from '../../platform/site/change-site.ts'
import { generateForm } from '../../testing/generate-form.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const purchase = {
  amount: 100,
  reason: 'purchase',
  description: '100 credits bought',
  now: new Date(),
} as const

/** A public link of somebody new; answers its id. */
async function share(): Promise<string> {
  const { token } = await app.register(newPerson())
  return shareOf(token)
}

async function shareOf(token: string): Promise<string> {
  const made = await app.call('/api/ai?action=generate', { token, form: await generateForm() })
  const { generationId } = made.body.generation
  const path = `/api/generations/${generationId}/share`
  const { shareUrl } = (await app.call(path, { method: 'POST', token })).body.generation
  return new URL(shareUrl).searchParams.get('selfie') ?? ''
}

test('cards that are asked for at once are made one after the other, each once', async () => {
  const shares = [await share(), await share(), await share()]
  const { store, engine } = app.context
  const making = { now: 0, most: 0, times: 0 }
  // The making of a card begins with the picture's file and ends with the card's signature.
  const [get, sign] = [store.get.bind(store), engine.sign.bind(engine)]
  vi.spyOn(store, 'get').mockImplementation((key) => {
    making.times += 1
    making.now += 1
    making.most = Math.max(making.most, making.now)
    return get(key)
  })
  vi.spyOn(engine, 'sign').mockImplementation((...parameters) =>
    sign(...parameters).finally(() => (making.now -= 1)),
  )
  const asked = [...shares, ...shares].map((id) => app.call(`/api/shares/${id}/card.jpg`))
  const answers = await Promise.all(asked)
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(making).toEqual({ now: 0, most: 1, times: 3 })
})

/** The card that a chat is shown, as it is asked for anew. */
async function cardOf(path: string) {
  const response = await fetch(app.url + path)
  const { headers, status } = response
  return {
    status,
    bytes: Buffer.from(await response.arrayBuffer()).toString('base64'),
    header: (name: string) => headers.get(name),
  }
}

test('a card is made anew for another language, for who has bought credits, and under another name', async () => {
  const { token, userId } = await app.register(newPerson())
  const path = `/api/shares/${await shareOf(token)}/card.jpg`
  const english = await cardOf(path)
  expect([english.status, english.header('content-type')]).toEqual([200, 'image/jpeg'])
  expect(english.header('x-robots-tag')).toBe('noindex')
  expect(english.header('cache-control')).toBe('public, max-age=300')
  expect((await cardOf(`${path}?lang=en`)).bytes).toBe(english.bytes)
  const spanish = await cardOf(`${path}?lang=es`)
  expect(spanish.bytes).not.toBe(english.bytes)
  await grantCredits(app.context.database, { ...purchase, userId, reference: `order:${userId}` })
  const bought = await cardOf(path)
  expect(bought.bytes).not.toBe(english.bytes)
  const { database, site } = app.context
  const by = { operatorName: 'kim', now: new Date() }
  await changeSite(database, { 'brand.name': 'Glitter' }, by)
  await site.refresh()
  expect((await cardOf(path)).bytes).not.toBe(bought.bytes)
})

test('a link that was taken back has no card any more', async () => {
  const answer = await cardOf('/api/shares/AAAAAAAAAAAAAAAAAAAAAA/card.jpg')
  expect(answer.status).toBe(404)
})
