import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newPerson, openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { generateForm } from '../../testing/generate-form.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** A public link of somebody new; answers its id. */
async function share(): Promise<string> {
  const { token } = await app.register(newPerson())
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
