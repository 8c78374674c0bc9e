import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDoneGeneration } from '../../testing/make-generation.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { shareCardTags } from './share-card.ts'
import { sharePicture, unsharePicture } from './share-picture.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

const site = {
  shareId: null,
  referralCode: null,
  sharedIn: null,
  language: 'en',
  network: '203.0.113.0',
} as const
const home = 'https://selfie.example'

/** The tags by their names. */
async function tagsOf(link: Partial<Parameters<typeof shareCardTags>[1]>) {
  const tags = await shareCardTags(app.context, { ...site, ...link })
  return Object.fromEntries(
    [...tags.matchAll(/(?:property|name)="([^"]+)" content="([^"]*)"/g)].map(
      ([, name, content]) => [name ?? '', (content ?? '').replaceAll('&amp;', '&')],
    ),
  )
}

async function share(row: Parameters<typeof makeDoneGeneration>[1] = {}) {
  const { database } = app.context
  const { generationId, userId } = await makeDoneGeneration(database, row)
  await sharePicture(app.context, { generationId, userId })
  const { share_id: shareId } = await database
    .selectFrom('generations')
    .select('share_id')
    .where('id', '=', generationId)
    .executeTakeFirstOrThrow()
  return { shareId, generationId, userId }
}

test('the site and an invitation have a card each, with the address that they were passed on by', async () => {
  expect(await tagsOf({})).toMatchObject({
    'og:title': 'Starside: take a selfie with a star',
    'og:url': `${home}/`,
    'og:image': `${home}/api/card.jpg?lang=en`,
    'twitter:card': 'summary_large_image',
  })
  const invited = await tagsOf({ referralCode: 'ADA12345' })
  expect(invited['og:title']).toContain('invites you')
  expect(invited['og:url']).toBe(`${home}/?ref=ADA12345`)
  expect(invited).not.toHaveProperty('robots')
})

test('a shared picture’s card names the star, and no search engine keeps it', async () => {
  const { shareId } = await share()
  const tags = await tagsOf({ shareId, referralCode: 'ADA12345' })
  expect(tags).toMatchObject({
    'og:title': 'A selfie with Elena Vassandri',
    'og:image:alt': 'A selfie with Elena Vassandri',
    'og:url': `${home}/?ref=ADA12345&selfie=${shareId}`,
    'og:image': `${home}/api/shares/${shareId}/card.jpg?lang=en`,
    robots: 'noindex',
  })
  const head = await shareCardTags(app.context, { ...site, shareId })
  expect(head).toMatch(/^<title>A selfie with Elena Vassandri · Starside<\/title><meta /)
})

test('a card speaks the language of whoever passed the link on, else that of whoever asks', async () => {
  const { shareId } = await share()
  const inSpanish = { 'og:title': 'Un selfie con Elena Vassandri' }
  expect(await tagsOf({ shareId, sharedIn: 'es' })).toMatchObject({
    ...inSpanish,
    'og:url': `${home}/?selfie=${shareId}&lang=es`,
    'og:image': expect.stringMatching(/\?lang=es$/),
  })
  expect(await tagsOf({ shareId, language: 'es' })).toMatchObject(inSpanish)
  const unknown = await tagsOf({ shareId, sharedIn: 'xx', language: 'es' })
  expect(unknown).toMatchObject({ ...inSpanish, 'og:url': `${home}/?selfie=${shareId}` })
})

test.each(['revoked', 'of a suspended account', 'no id at all'])(
  'a link that is %s has the card of the site',
  async (how) => {
    const { database } = app.context
    const { shareId, generationId, userId } = await share()
    if (how === 'revoked') await unsharePicture(app.context, { generationId, userId })
    if (how === 'of a suspended account') {
      await database
        .updateTable('users')
        .set({ status: 'suspended' })
        .where('id', '=', userId)
        .execute()
    }
    const tags = await tagsOf({ shareId: how === 'no id at all' ? 'x' : shareId })
    expect(tags['og:url']).toBe(`${home}/`)
    expect(tags['og:image']).toBe(`${home}/api/card.jpg?lang=en`)
    expect(tags).not.toHaveProperty('robots')
  },
)

test('a public link is opened for one’s own finished picture alone, and keeps its id', async () => {
  const { shareId, generationId, userId } = await share()
  expect(shareId).toMatch(/^[\w-]{22}$/)
  await sharePicture(app.context, { generationId, userId })
  const { share_id: again } = await app.context.database
    .selectFrom('generations')
    .select('share_id')
    .where('id', '=', generationId)
    .executeTakeFirstOrThrow()
  expect(again).toBe(shareId)
  const others = { generationId, userId: crypto.randomUUID() }
  await expect(sharePicture(app.context, others)).rejects.toMatchObject({
    code: 'generation_unknown',
  })
})
