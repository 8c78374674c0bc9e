import { storageKeys } from '@starside/contract/api.ts'
import sharp from 'sharp'
import { expect, ownerOfSelfie, type Page, test, unfoldMore } from './story.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

/** What is told about a page to whoever makes a card of a link to it. */
const cardOf = async (page: Page): Promise<Record<string, string>> =>
  await page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLMetaElement>('meta[property^="og:"]')].map((tag) => [
        tag.getAttribute('property') ?? '',
        tag.content,
      ]),
    ),
  )

/** Shows a picture of 16:9 in the place of one. */
async function makeWide(picture: SVGElement | HTMLElement): Promise<void> {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 900 })
  canvas.getContext('2d')?.fillRect(0, 0, 1600, 900)
  const shown = picture as HTMLImageElement
  shown.src = canvas.toDataURL()
  await shown.decode()
}

/** The measures of a card's picture. */
async function measure(page: Page, address: string): Promise<string> {
  const answer = await page.request.get(new URL(address).pathname)
  expect(answer.headers()['content-type']).toBe('image/jpeg')
  const { width, height } = await sharp(await answer.body()).metadata()
  return `${width}x${height}`
}

test('a shared picture has a card with picture and words, and a call beside it @once', async ({
  page,
  browser,
  see,
}) => {
  await page.context().grantPermissions(['clipboard-write'])
  await ownerOfSelfie(page)
  const result = page.getByRole('region', { name: 'AI RESULT' })
  await unfoldMore(result)
  await result.getByRole('button', { name: 'Make public and copy link' }).tap()
  const facebook = result.getByRole('link', { name: 'Share on Facebook' })
  const link = new URL((await facebook.getAttribute('href')) ?? '').searchParams.get('u') ?? ''

  const elsewhere = await browser.newContext({ viewport: { width: 360, height: 640 } })
  const visitor = await elsewhere.newPage()
  await visitor.goto(link)
  await expect(visitor.getByRole('img', { name: /A selfie of a person with a star/ })).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Make yours for free' })).toBeInViewport()
  // A wide one leaves the call room beside it on a desk, and below it elsewhere.
  await visitor.locator('figure img').first().evaluate(makeWide)
  for (const [width, height] of [
    [1440, 900],
    [1280, 720],
    [768, 1024],
    [390, 844],
  ] as const) {
    await visitor.setViewportSize({ width, height })
    const call = visitor.getByRole('link', { name: 'Make yours for free' })
    await expect(call, `at ${width} by ${height}`).toBeInViewport({ ratio: 1 })
  }
  await visitor.reload()
  await visitor.setViewportSize({ width: 360, height: 640 })
  const card = await cardOf(visitor)
  expect(card).toMatchObject({
    'og:title': 'A selfie with Elena Vassandri',
    'og:url': link,
    'og:image:width': '1200',
    'og:image:height': '630',
  })
  const picture = card['og:image'] ?? ''
  expect(await measure(visitor, picture)).toBe('1200x630')
  await see('shared-page', visitor)

  await page.keyboard.press('Escape')
  await result.getByRole('button', { name: 'Turn off the link' }).tap()
  await expect(result.getByText('The public link no longer works.')).toBeVisible()
  expect((await visitor.request.get(new URL(picture).pathname)).status()).toBe(404)
  await visitor.goto(link)
  await expect(visitor.getByRole('alert')).toHaveText(/^This selfie isn't shared any more/)
  await expect(visitor.getByRole('heading', { name: /^A selfie with/ })).toBeHidden()
  expect((await cardOf(visitor))['og:title'], 'nothing of it is told').not.toContain('Elena')
  await elsewhere.close()
})

test('links to the site and invitations have cards in the language of the reader @once', async ({
  browser,
}) => {
  const titles: Record<string, [home: string, invitation: string]> = {
    en: ['Starside: take a selfie with a star', 'A friend invites you'],
    es: ['Starside: hazte un selfie con una estrella', 'Te invitan'],
    'zh-CN': ['Starside：你和明星的一张自拍', '朋友邀请你'],
  }
  for (const [locale, [home, invitation]] of Object.entries(titles)) {
    const context = await browser.newContext({ locale })
    const page = await context.newPage()
    await page.goto('/')
    const card = await cardOf(page)
    expect(card['og:title']).toBe(home)
    expect(await measure(page, card['og:image'] ?? '')).toBe('1200x630')
    await page.goto('/?ref=ABCD2345&utm_source=chat')
    const invited = await cardOf(page)
    expect(invited['og:title']).toContain(invitation)
    expect(invited['og:url']).toMatch(/\/\?ref=ABCD2345$/)
    await context.close()
  }
})

test('a link goes to chats and networks beside X, and the picture itself to the share sheet @once', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const shared: { type: string; bytes: number; url: string }[] = []
    Object.assign(window, { shared })
    Object.assign(navigator, {
      canShare: () => true,
      share: ({ files = [], url = '' }: ShareData) => {
        shared.push(...files.map(({ type, size }) => ({ type, bytes: size, url })))
        return Promise.resolve()
      },
    })
  })
  await page.context().grantPermissions(['clipboard-write'])
  await ownerOfSelfie(page)
  const code = await page.evaluate(async (key) => {
    const answer = await fetch('/api/user?action=profile', {
      headers: { authorization: `Bearer ${localStorage.getItem(key)}` },
    })
    return ((await answer.json()) as { user: { referralCode: string } }).user.referralCode
  }, storageKeys.authToken)
  await unfoldMore(page)
  await expect(page.getByRole('link', { name: 'Share on WhatsApp' })).toBeHidden()
  await page.getByRole('button', { name: 'Make public and copy link' }).tap()
  await expect(page.getByRole('link', { name: 'Share on WhatsApp' })).toBeVisible()
  const destinations: [name: string, host: string][] = [
    ['WhatsApp', 'wa.me'],
    ['Telegram', 't.me'],
    ['Facebook', 'www.facebook.com'],
    ['Bluesky', 'bsky.app'],
    ['LINE', 'social-plugins.line.me'],
    ['Weibo', 'service.weibo.com'],
  ]
  for (const [name, host] of destinations) {
    const link = page.getByRole('link', { name: `Share on ${name}` })
    const address = new URL((await link.getAttribute('href')) ?? '')
    expect(address.host).toBe(host)
    const words = [...address.searchParams.values()].join(' ')
    expect(words, name).toContain(`/?ref=${code}&selfie=`)
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  }
  await page.getByRole('button', { name: 'Share the picture' }).tap()
  const shared = () => page.evaluate(() => (window as unknown as { shared: unknown[] }).shared)
  await expect.poll(shared).toEqual([
    {
      type: 'image/jpeg',
      bytes: expect.any(Number),
      url: expect.stringContaining(`ref=${code}`),
    },
  ])
})

test('a picture is printed alone on a page of 10 × 15 cm @once', async ({ page }) => {
  await ownerOfSelfie(page)
  await unfoldMore(page)
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
  const printed = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString(
    'latin1',
  )
  expect(printed.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1)
  const [, width, height] = /\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec(printed) ?? []
  const inCentimetres = [width, height].map((points) => (Number(points) / 72) * 2.54)
  expect(inCentimetres[0]).toBeCloseTo(10, 1)
  expect(inCentimetres[1]).toBeCloseTo(15, 1)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading')).toHaveCount(0)
  await expect(page.locator('.print-picture')).toBeVisible()
})
