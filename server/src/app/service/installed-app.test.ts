import { appIcons, installedApp } from '@starside/contract/installed-app.ts'
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Site } from '../../platform/site/site.ts'
import { defaultSiteValues } from '../../platform/site/site-settings.ts'
import type { SiteValues } from '../../platform/site/site-settings.ts'
import { installedAppRoutes } from './installed-app-routes.ts'

/** A site whose settings have their defaults but for some. */
function siteOf(values: Partial<SiteValues>): Site {
  const fallbacks = {
    publicHost: 'lumen.example',
    contactEmail: 'us@lumen.example',
    socialUrl: 'https://social.example',
    communityUrl: 'https://chat.example',
    mailFrom: undefined,
  }
  return {
    values: () => ({ ...defaultSiteValues(fallbacks), ...values }),
    version: () => '0',
    refresh: async () => {},
    close: () => {},
  }
}

let app: FastifyInstance
beforeAll(async () => {
  app = Fastify()
  await app.register(installedAppRoutes, { site: siteOf({ 'brand.name': 'Lumen & Co' }) })
})
afterAll(() => app.close())

const manifestIn = async (language: string) => {
  const { headers, body } = await app.inject({
    url: installedApp.manifest,
    headers: { 'accept-language': language },
  })
  return { headers, manifest: JSON.parse(body) as Record<string, unknown> }
}

it('the manifest bears the name of the brand, in the language of the reader', async () => {
  const { headers, manifest } = await manifestIn('es-MX,es;q=0.9,en;q=0.5')
  expect(headers).toMatchObject({
    'content-type': 'application/manifest+json; charset=utf-8',
    vary: 'accept-language',
  })
  expect(manifest).toMatchObject({ name: 'Lumen & Co', short_name: 'Lumen & Co', lang: 'es' })
  expect((await manifestIn('sw')).manifest).toMatchObject({ lang: 'en' })
})

it('start and share target lie in the scope, and there is an icon to be cut', async () => {
  const { manifest } = await manifestIn('en')
  const { scope, start_url, share_target } = manifest as {
    scope: string
    start_url: string
    share_target: { action: string }
  }
  expect(start_url.startsWith(scope)).toBe(true)
  expect(share_target.action.startsWith(scope)).toBe(true)
  expect(appIcons.some(({ purpose }) => purpose === 'maskable')).toBe(true)
})

it('a share that no worker took is read away, and leads to the dashboard', async () => {
  const form = new FormData()
  form.set(installedApp.sharedPhotoField, new File([new Uint8Array(300_000)], 'a.jpg'))
  const request = new Request('http://host/', { method: 'POST', body: form })
  const { statusCode, headers, body } = await app.inject({
    method: 'POST',
    url: installedApp.shareTarget,
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  expect([statusCode, headers.location, body]).toEqual([303, '/dashboard?shared', ''])
})

it('the line of the brand is the description, where there is one in that language', async () => {
  const line = { en: 'Ours', es: '', zh: '' }
  await using own = Fastify()
  await own.register(installedAppRoutes, { site: siteOf({ 'brand.line': line }) })
  const describe = async (language: string) => {
    const headers = { 'accept-language': language }
    return (await own.inject({ url: installedApp.manifest, headers })).json().description as string
  }
  expect(await describe('en')).toBe('Ours')
  expect(await describe('es')).toBe((await manifestIn('es')).manifest['description'])
})

it.each(['text/html', 'application/json', 'text/plain'])('takes no body of %s', async (type) => {
  const { statusCode } = await app.inject({
    method: 'POST',
    url: installedApp.shareTarget,
    headers: { 'content-type': type },
    payload: '[]',
  })
  expect(statusCode).toBe(415)
})

const file = (letter: string) => `${letter.repeat(32)}.png`
const icon = { file: file('a'), widthPx: 300, heightPx: 200 }
const sizes = {
  any180: file('b'),
  any192: file('c'),
  any512: file('d'),
  maskable192: file('e'),
  maskable512: file('f'),
}

it.each([
  ['as it is where it was kept in no other size', icon, ['300x200 any']],
  [
    'in the sizes that platforms ask for',
    { ...icon, sizes },
    ['192x192 any', '512x512 any', '192x192 maskable', '512x512 maskable'],
  ],
])('an icon of one’s own is offered %s', async (_how, brandIcon, offered) => {
  await using own = Fastify()
  await own.register(installedAppRoutes, { site: siteOf({ 'brand.icon': brandIcon as never }) })
  const { icons } = (await own.inject({ url: installedApp.manifest })).json()
  type Icon = Record<'src' | 'sizes' | 'purpose', string>
  expect(icons.map((each: Icon) => `${each.sizes} ${each.purpose}`)).toEqual(offered)
  const letters = offered.length === 1 ? ['a'] : ['c', 'd', 'e', 'f']
  expect(icons.map(({ src }: Icon) => src)).toEqual(
    letters.map((letter) => expect.stringContaining(`/${file(letter)}`)),
  )
})
