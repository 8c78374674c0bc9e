import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateForm } from '../../testing/generate-form.ts'
import { openOperator } from '../../testing/open-operator.ts'
import type { OperatorBrowser } from '../../testing/open-operator.ts'
import { openShopper } from '../../testing/open-shopper.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import { makeTestSelfie } from '../../testing/scripted-engine.ts'
import { sendReceipt } from '../../payments/jobs.ts'
import { readPublicSettings } from '../../app/service/public-routes.ts'
import { shareCardTags } from '../../selfies/sharing/share-card.ts'
import { brandPage } from './brand-page.ts'
import { contrastOf, passingColour } from '@starside/contract/contrast.ts'
import { changeSite } from './change-site.ts'
import { markTextOf } from './present-brand.ts'

const old = /starside/i
const name = 'Glitter & Co <b>"'

let app: TestApp
let owner: OperatorBrowser
beforeAll(async () => {
  app = await openTestApp()
  owner = await openOperator(app)
})
afterAll(() => app[Symbol.asyncDispose]())

/** The form's fields as the page shows them, with some of them changed. */
async function brandForm(changes: Record<string, string> = {}): Promise<FormData> {
  const { text } = await owner.get('/admin/brand')
  const form = new FormData()
  for (const [, tag = ''] of text.matchAll(/<input\s([^>]*)>/g)) {
    const read = (attribute: string) => new RegExp(`${attribute}="([^"]*)"`).exec(tag)?.[1]
    const field = read('name')
    if (field === undefined || ['checkbox', 'file'].includes(read('type') ?? '')) continue
    form.set(field, decodeHtml(read('value') ?? ''))
  }
  for (const [field, value] of Object.entries(changes)) form.set(field, value)
  return form
}

function decodeHtml(text: string): string {
  return text.replaceAll(/&(#39|amp|lt|gt|quot);/g, (_whole, code: string) =>
    code === 'amp' ? '&' : code === 'lt' ? '<' : code === 'gt' ? '>' : code === 'quot' ? '"' : "'",
  )
}

const save = async (changes: Record<string, string>) =>
  owner.submit('/admin/brand/save', await brandForm(changes))

const page = `<!doctype html><html lang="es"><head><title>{brand}: {line:un selfie}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml"></head><body>
<span class="display" data-wordmark="">{brand}</span><p>{brand} hace</p></body></html>`
const branded = () =>
  brandPage(page, { values: app.context.site.values(), settings: readPublicSettings(app.context) })

test('a post begins with the tags of brand, selfie and AI until an operator chooses others', () => {
  const { shareTags } = readPublicSettings(app.context).brand
  expect(shareTags).toEqual(['Starside', 'CelebritySelfie', 'AI'])
})

test('a new name is everywhere, and the old one nowhere', async () => {
  const before = await save({})
  expect([before.status, before.flash]).toEqual([303, 'done Nothing was different.'])
  expect(branded()).toContain('<title>Starside: un selfie</title>')
  const saved = await save({
    name,
    line_es: 'Tú y una <estrella>',
    markText: 'glitter.example',
    contactEmail: 'us@glitter.example',
    shareTags: '#{brand} #Fun',
    shareText_en: 'Look, {celebrity}!',
  })
  expect([saved.status, saved.flash]).toEqual([303, 'done Saved. You can undo it under Log.'])

  const { token } = await app.register({ email: 'buyer@example.test' })
  const asked: unknown[] = []
  app.engine.next.push(async ({ watermarkText, systemName }) => {
    asked.push({ watermarkText, systemName })
    return makeTestSelfie()
  })
  const made = await app.call('/api/ai?action=generate', {
    token,
    form: await generateForm(),
  })
  expect([made.status, asked]).toEqual([
    200,
    [{ watermarkText: 'glitter.example', systemName: name }],
  ])
  const generationId = (made.body as { generation: { generationId: string } }).generation
    .generationId
  const shared = await app.call(`/api/generations/${generationId}/share`, { token, method: 'POST' })
  const shareId = /selfie=([\w-]{22})/.exec(JSON.stringify(shared.body))?.[1] ?? ''

  await app.call('/api/auth?action=forgot-password', { json: { email: 'buyer@example.test' } })
  await app.call('/api/auth?action=login', {
    json: { email: 'buyer@example.test', password: 'correct horse' },
  })
  const purchase = await openShopper(app).order('basic', { token, userId: '' })
  await sendReceipt(
    {
      database: app.context.database,
      mailer: app.context.mailer,
      publicUrl: 'https://selfie.example',
      siteName: app.context.site.values()['brand.name'],
    },
    purchase.orderId,
  )
  await app.call('/api/reports', {
    json: { reference: `https://selfie.example/?selfie=${shareId}`, reason: 'other', details: 'x' },
  })

  const answers = await Promise.all(
    [
      '/api/config',
      '/api/openapi.json',
      '/api/docs',
      '/manifest.webmanifest',
      '/api/user?action=profile',
      '/api/user?action=export',
      '/api/user?action=credit-history',
      '/api/orders',
      '/api/generations',
      `/api/orders/status?order_id=${purchase.orderId}`,
    ].map(async (path) => {
      const response = await fetch(app.url + path, {
        headers: { authorization: `Bearer ${token}` },
      })
      return `${path} ${response.status} ${[...response.headers].join('\n')} ${await response.text()}`
    }),
  )
  const admin = await Promise.all(
    ['/admin', '/admin/brand', '/admin/users'].map(async (path) => (await owner.get(path)).text),
  )
  const card = await shareCardTags(app.context, {
    shareId,
    referralCode: null,
    sharedIn: null,
    language: 'en',
    network: '192.0.2.1',
  })
  const mails = app.mails.map((mail) => JSON.stringify(mail))
  expect(mails.length).toBeGreaterThan(1)
  for (const text of [...answers, ...admin, card, ...mails, branded()]) {
    expect(text.replaceAll('starside_operator', '')).not.toMatch(old)
  }
  expect(answers[0]).toContain(JSON.stringify(name).slice(1, -1))
  expect(card).toContain('Made with Glitter &amp; Co &lt;b&gt;&quot;')
  expect(mails.join()).toContain('Set a new password for Glitter & Co')
})

test('a page carries the name, the line and the settings as text, whatever they hold', async () => {
  const html = branded()
  expect(html).toContain(
    '<title>Glitter &amp; Co &lt;b&gt;&quot;: Tú y una &lt;estrella&gt;</title>',
  )
  expect(html).not.toMatch(/<b>|<estrella>/)
  await save({ name: '</script><script>alert(1)' })
  const hostile = branded()
  expect(hostile.match(/<script/g)).toHaveLength(1)
  const [, data = ''] = /id="settings">(.*?)<\/script>/s.exec(hostile) ?? []
  expect(JSON.parse(data)).toMatchObject({ brand: { name: '</script><script>alert(1)' } })
  await save({ name })
})

test('no text of the web app and no route holds a name of its own', async () => {
  const folder = fileURLToPath(new URL('../../../../contract/src/texts/', import.meta.url))
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('json'))
  const texts = await Promise.all(files.map((file) => readFile(folder + file, 'utf8')))
  const index = await readFile(new URL('../../../../web/index.html', import.meta.url), 'utf8')
  for (const text of [...texts, index]) {
    expect(text.replaceAll('@starside/', '')).not.toMatch(old)
  }
})

test('a picture that was made under an earlier name is still known as ours', async () => {
  const { wasSiteName } = await import('./site.ts')
  expect(await wasSiteName(app.context, 'Starside')).toBe(true)
  expect(await wasSiteName(app.context, name)).toBe(true)
  await save({ name: 'Third' })
  expect(await wasSiteName(app.context, name)).toBe(true)
  expect(await wasSiteName(app.context, 'Never')).toBe(false)
  const changer = { operatorName: 'a test', now: app.context.clock() }
  await changeSite(app.context.database, { 'legal.operator': 'Somebody' }, changer)
  expect(await wasSiteName(app.context, 'Somebody'), 'that is another setting').toBe(false)
})

test.each([
  [
    'accentLight',
    '#ffb21a',
    /too pale in the light theme: contrast 1\.\d\d, needs 4\.5. The nearest that passes is #/,
  ],
  ['accentDark', '#7a1010', /too dark in the dark theme: contrast 1\.\d\d, needs 4\.5/],
])('%s %s is refused with the figure, and what was entered stays', async (field, colour, told) => {
  const { status, text } = await save({ [field]: colour, name: 'Not Saved' })
  expect(status).toBe(422)
  expect(text).toMatch(told)
  expect(text).toContain('value="Not Saved"')
  expect(app.context.site.values()['brand.name']).not.toBe('Not Saved')
})

test('colours of one’s own come as a stylesheet whose address follows them', async () => {
  expect(branded()).not.toContain('stylesheet')
  await save({ accentLight: '#0b5cad', accentDark: '#7ab8ff' })
  const [, file = ''] = /href="(\/brand\/accent-[^"]+)"/.exec(branded()) ?? []
  const response = await fetch(app.url + file)
  expect(await response.text()).toContain('{--accent-light:#0b5cad;--accent-dark:#7ab8ff}')
  expect(response.headers.get('cache-control')).toContain('immutable')
  const stale = await fetch(`${app.url}/brand/accent-0000000000000000.css`)
  expect(stale.headers.get('cache-control')).toBe('no-cache')
})

test.each([
  ['selfie.example', '', 'Glitter', 'selfie.example'],
  ['selfie.example', 'ours', 'Glitter', 'ours'],
  ['localhost', '', 'Glitter', 'Glitter'],
  ['192.168.1.5', '', 'Glitter', 'Glitter'],
  ['[::1]', 'ours', 'Glitter', 'ours'],
  // What the mark's outlines have no letters for.
  ['localhost', '', '星星', 'localhost'],
])('at %s with the words %o and the name %s the brand mark is %s', (host, words, called, mark) => {
  const values = { ...app.context.site.values(), 'brand.markText': words, 'brand.name': called }
  expect(markTextOf(values, host)).toBe(mark)
})

test.each([
  ['selfie.example', false],
  ['localhost', true],
])(
  'at %s the caption of the previewed mark follows the name as it is typed: %s',
  async (host, follows) => {
    const { config } = app.context
    const { publicHost } = config
    Object.assign(config, { publicHost: host })
    const { text } = await owner.get('/admin/brand')
    Object.assign(config, { publicHost })
    const captions = text.match(/<figcaption[^>]*>/g) ?? []
    expect(captions.map((tag) => tag.includes('data-falls-back-to="name"'))).toEqual([
      follows,
      follows,
    ])
  },
)

test('contrast is that of WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('a logo is encoded anew and shown in place of the name', async () => {
  const form = await brandForm()
  const logo = await sharp({
    create: { width: 900, height: 300, channels: 4, background: '#ff000080' },
  })
    .webp()
    .withExifMerge({ IFD0: { Copyright: 'hidden' } })
    .toBuffer()
  form.set('logo', new File([new Uint8Array(logo)], '../../logo.webp'))
  expect((await owner.submit('/admin/brand/save', form)).status).toBe(303)
  const [, url = '', size = ''] =
    /<img src="(\/brand\/[\da-f]{32}\.png)" alt="Third" (width="\d+" height="\d+")\/><\/span>/.exec(
      branded(),
    ) ?? []
  expect(size).toBe('width="384" height="128"')
  const response = await fetch(app.url + url)
  const served = Buffer.from(await response.arrayBuffer())
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(await sharp(served).metadata()).toMatchObject({
    format: 'png',
    width: 384,
  })
  expect((await sharp(served).metadata()).exif).toBeUndefined()
  const removed = await brandForm({ removeLogo: 'on' })
  await owner.submit('/admin/brand/save', removed)
  expect(branded()).not.toContain('<img')
})

test('an icon is made in every size that platforms ask for, for manifest and pages', async () => {
  const form = await brandForm()
  const picture = await sharp({
    create: { width: 100, height: 50, channels: 3, background: '#0b5cad' },
  })
    .composite([
      {
        input: { create: { width: 80, height: 40, channels: 3, background: '#c8271a' } },
        gravity: 'centre',
      },
    ])
    .png()
    .toBuffer()
  form.set('icon', new File([new Uint8Array(picture)], 'icon.png'))
  expect((await owner.submit('/admin/brand/save', form)).status).toBe(303)
  const manifest = (await (await fetch(`${app.url}/manifest.webmanifest`)).json()) as {
    icons: { src: string; sizes: string; purpose: string }[]
  }
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '192x192 maskable',
    '512x512 maskable',
  ])
  const read = async (src: string) => {
    const bytes = Buffer.from(await (await fetch(app.url + src)).arrayBuffer())
    const { data, info } = await sharp(bytes)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const colourAt = (x: number, y: number) => {
      const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 4
      return [...data.subarray(at, at + 4)]
    }
    return {
      size: `${info.width}x${info.height}`,
      corner: colourAt(0, 0),
      nearEdge: colourAt(0.15, 0.5),
    }
  }
  const [ground, inside] = [
    [11, 92, 173, 255],
    [200, 39, 26, 255],
  ]
  for (const { src, sizes, purpose } of manifest.icons) {
    const seen =
      purpose === 'any'
        ? { corner: [0, 0, 0, 0], nearEdge: inside }
        : { corner: ground, nearEdge: ground }
    expect(await read(src)).toEqual({ size: sizes, ...seen })
  }
  const [, apple = ''] = /<link rel="apple-touch-icon" href="([^"]+)"/.exec(branded()) ?? []
  expect(await read(apple)).toEqual({ size: '180x180', corner: ground, nearEdge: ground })
  expect(branded()).not.toContain('favicon.svg')
  await owner.submit('/admin/brand/save', await brandForm({ removeIcon: 'on' }))
  expect(branded()).toContain('favicon.svg')
})

test.each([
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['a page', '<!doctype html><script>alert(1)</script>'],
  ['a damaged picture', '\u0089PNG\r\n\u001A\n'],
])('%s as a logo is refused beside its field', async (_what, content) => {
  const form = await brandForm()
  form.set('logo', new File([content], 'logo.png', { type: 'image/png' }))
  const { status, text } = await owner.submit('/admin/brand/save', form)
  expect([status, text.includes('This is no PNG')]).toEqual([422, true])
})

test('support can neither see nor save the brand', async () => {
  const support = await openOperator(app, 'support')
  expect((await support.get('/admin/brand')).status).toBe(403)
  const form = await brandForm({ name: 'Stolen' })
  form.set('csrf', support.csrf)
  expect((await support.submit('/admin/brand/save', form)).status).toBe(403)
  expect(app.context.site.values()['brand.name']).toBe('Third')
})

test.each([
  ['#ffb21a', ['#f4efe4', '#fffaf0']],
  ['#7a1010', ['#17090a', '#15110f']],
  ['#000000', ['#ffffff']],
] as const)('of %s on %j the nearest that can be read is found', (colour, grounds) => {
  const near = passingColour(colour, grounds, 4.5)
  const worst = Math.min(...grounds.map((ground) => contrastOf(near, ground)))
  expect(worst).toBeGreaterThanOrEqual(4.5)
  if (near !== colour) expect(worst, 'no more is mixed in than needed').toBeLessThan(4.8)
})
