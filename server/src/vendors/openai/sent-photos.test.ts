import { expect, test } from 'vitest'
import { openCatalogue } from '../models/model-catalogue.ts'
import { createOpenaiProvider } from './openai-provider.ts'

const photo = (words: string) => ({
  bytes: Buffer.from(words),
  mediaType: 'image/jpeg' as const,
  widthPx: 10,
  heightPx: 10,
  hasMatte: false,
})

/** The form that a request becomes; `takesCount` as the model's card may leave it out. */
async function formOf(options: { hasPlace: boolean; takesCount?: boolean }): Promise<FormData> {
  let form = new FormData()
  const { takesCount, ...card } = openCatalogue().find('openai', 'gpt-image-2')
  expect(takesCount).toBe(true)
  const provider = createOpenaiProvider({
    card: options.takesCount === true ? { ...card, takesCount: true } : card,
    name: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    apiKey: 'key',
    extraFields: {},
    timeoutMs: 5_000,
    fetch: async (_url, init) => {
      if (init?.body instanceof FormData) form = init.body
      return new Response('no', { status: 400 })
    },
    resolveHost: async () => [],
    now: () => 0,
  })
  const request = {
    prompt: 'a selfie',
    userPhoto: photo('me'),
    starPhotos: [photo('star'), photo('second star')],
    ...(options.hasPlace ? { backgroundPhoto: photo('place') } : {}),
    aspect: '4:5' as const,
    count: 2,
  }
  await expect(provider.generate(request, new AbortController().signal)).rejects.toThrow('400')
  return form
}

const textsOf = async (form: FormData) =>
  Promise.all(
    form
      .getAll('image[]')
      .map(async (entry) => (entry instanceof File ? await entry.text() : entry)),
  )

test('the photo of a place is sent after all people, and none where there is none', async () => {
  const people = ['me', 'star', 'second star']
  expect(await textsOf(await formOf({ hasPlace: true }))).toEqual([...people, 'place'])
  expect(await textsOf(await formOf({ hasPlace: false }))).toEqual(people)
})

test('how many pictures are wanted is said to models that take it, and to no other', async () => {
  expect((await formOf({ hasPlace: false, takesCount: true })).get('n')).toBe('2')
  expect((await formOf({ hasPlace: false })).has('n')).toBe(false)
})
