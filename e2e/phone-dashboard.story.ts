import { boxOf, expect, generateButton, type Page, test, unfoldPackages } from './story.ts'

const screenHeightPx = 844
test.use({ viewport: { width: 390, height: screenHeightPx }, hasTouch: true, isMobile: true })

const mainButtons = /^(?:Crear selfie con la estrella|生成明星自拍)$/

/** How far below the page's start an element begins, in px. */
const topOf = async (page: Page, selector: string): Promise<number> =>
  await page
    .locator(selector)
    .first()
    .evaluate((element) => element.getBoundingClientRect().top + scrollY)

test('with a credit the work begins on the first screen, and its button is always at hand @once', async ({
  page,
  see,
  newcomer,
}) => {
  await newcomer()
  await expect(page.getByText('No selfies yet.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Elena Vassandri' })).toBeVisible()
  expect(await topOf(page, '.film-strip'), 'the studio').toBeLessThan(screenHeightPx * 0.22)
  const tier = page.locator('.tier-line')
  const edges = await page.evaluate(() =>
    ['.tier-line', '#studio', '.film-strip'].map((part) => {
      const { top, bottom } = document.querySelector(part)!.getBoundingClientRect()
      return { top, bottom }
    }),
  )
  const [tierEdge, title, strip] = edges
  expect((title?.top ?? 0) - (tierEdge?.bottom ?? 0), 'the title has air above').toBeGreaterThan(8)
  expect((strip?.top ?? 0) - (title?.bottom ?? 0), 'and below').toBeGreaterThanOrEqual(8)
  const frame = 'section[aria-label="PERSON 1"] .aspect-4\\/5'
  expect(await topOf(page, frame)).toBeLessThan(screenHeightPx * 0.29)
  const star = await boxOf(page.getByRole('button', { name: 'Elena Vassandri' }))
  const bar = await boxOf(page.locator('.generate-bar'))
  expect(star.y + star.height, 'the first stars').toBeLessThanOrEqual(bar.y)
  const order = ['h2#credits-card', '#packages', '#create', '#selfies', 'footer']
  const tops = await Promise.all(order.map(async (part) => await topOf(page, part)))
  expect(tops, 'the order of the specification').toEqual(tops.toSorted((a, b) => a - b))
  const chosenFirst = ['.star-grid', '.scene-row', '#ai-result']
  const choiceTops = await Promise.all(chosenFirst.map(async (part) => await topOf(page, part)))
  expect(choiceTops, 'all that is chosen, then the picture').toEqual(
    choiceTops.toSorted((a, b) => a - b),
  )
  const figures = ['credits-card', 'referral-card', 'history-card'].map((id) => `h2#${id}`)
  const figureTops = await Promise.all(figures.map(async (figure) => await topOf(page, figure)))
  expect(new Set(figureTops).size, 'the figures stand in one row').toBe(1)
  const count = await boxOf(page.getByTestId('balance'))
  const note = await boxOf(page.getByText('Credits never expire').first())
  expect(note.x, 'its note stands beside it').toBeGreaterThan(count.x + count.width)
  const heightPx = await page.evaluate(() => document.documentElement.scrollHeight)
  expect(heightPx).toBeLessThanOrEqual(2.25 * screenHeightPx)
  for (const scrolledTo of [0, 0.25, 0.5, 0.75, 1]) {
    await page.evaluate(
      (part) => scrollTo(0, part * document.documentElement.scrollHeight),
      scrolledTo,
    )
    await expect(generateButton(page)).toBeInViewport({ ratio: 1 })
  }
  await see('phone-dashboard')
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: screenHeightPx })
    const words = await tier.getByRole('link').evaluate((link) => {
      const range = document.createRange()
      range.selectNodeContents(link)
      return range.getClientRects().length
    })
    expect(words, `in one line at ${width}`).toBe(1)
  }
  await page.setViewportSize({ width: 390, height: screenHeightPx })
  const chosen = page.getByRole('button', { name: 'Elena Vassandri' })
  await chosen.tap()
  await expect(chosen, 'its mark lies at the foot').toContainText('✓')
  const overFace = await chosen.locator('img').evaluate((image) => {
    const { top, right } = image.getBoundingClientRect()
    return document.elementFromPoint(right - 6, top + 6) !== image
  })
  expect(overFace, 'nothing lies over the face').toBe(false)
  const scenes = page.getByRole('group', { name: 'Scene' })
  await scenes.scrollIntoViewIfNeeded()
  await scenes.getByText('City by day').tap()
  await expect(page.getByRole('radio', { name: 'City by day' })).toBeChecked()
})

for (const language of ['es', 'zh']) {
  test(`in ${language}, too, the page is short, and its button stays at hand @once`, async ({
    page,
    newcomer,
  }) => {
    await newcomer()
    await page.evaluate((tag) => localStorage.setItem('language', tag), language)
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`))
    await expect(page.getByRole('button', { name: 'Elena Vassandri' })).toBeVisible()
    await expect(page.locator('#ledger')).toBeVisible()
    expect(await topOf(page, '#create .aspect-4\\/5')).toBeLessThan(screenHeightPx * 0.31)
    const heightPx = await page.evaluate(() => document.documentElement.scrollHeight)
    expect(heightPx).toBeLessThanOrEqual(2.25 * screenHeightPx)
    const button = page.getByRole('button', { name: mainButtons })
    await expect(button).toBeInViewport({ ratio: 1 })
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await expect(button).toBeInViewport({ ratio: 1 })
    await page.setViewportSize({ width: 360, height: 780 })
    await expect(button).toBeInViewport({ ratio: 1 })
    expect(await topOf(page, '#create .aspect-4\\/5')).toBeLessThan(780 * 0.33)
    await page.setViewportSize({ width: 720, height: 450 })
    await expect(button, 'of a desk at 200 %').toBeInViewport({ ratio: 1 })
  })
}

test('packages are folded while there are credits, and are read without swiping @once', async ({
  page,
  see,
  newcomer,
}) => {
  await newcomer()
  const offers = page.getByRole('button', { name: /^Purchase \$/ })
  await expect(page.getByText('Free User')).toBeVisible()
  await expect(page.getByText('All photos include watermark')).toBeVisible()
  await expect(offers).toHaveCount(0)
  await page.getByRole('link', { name: 'Get more credits' }).tap()
  await expect(offers).toHaveCount(2)
  for (const offer of await page.getByRole('article').all()) {
    const box = await boxOf(offer)
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(390)
    expect(box.height, 'both fit one screen').toBeLessThanOrEqual(screenHeightPx / 2)
  }
  await see('phone-packages')
  await page.getByRole('link', { name: 'Get more credits' }).tap()
  await expect(offers, 'a second press folds nothing').toHaveCount(2)
  await page.getByRole('button', { name: 'Hide for now' }).tap()
  await expect(offers).toHaveCount(0)
})

test('who loads the page anew after a link to the packages begins with the studio again @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  const link = page.getByRole('link', { name: 'Get more credits' }).first()
  await link.click()
  await expect(page.getByRole('button', { name: /^Purchase/ })).toHaveCount(2)
  await expect(page).not.toHaveURL(/#/)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Elena Vassandri' })).toBeVisible()
  expect(await topOf(page, '#create')).toBeLessThan(screenHeightPx * 0.5)
  await expect(page.getByRole('button', { name: /^Purchase/ })).toHaveCount(0)
})

test('who has no credits finds the packages unfolded @once', async ({ page, newcomer }) => {
  await newcomer()
  const token = await page.evaluate(() => localStorage.getItem('auth_token'))
  await page.request.post('/api/user?action=consume-credits', {
    headers: { authorization: `Bearer ${token}` },
    data: { amount: 1 },
  })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Purchase $10' })).toBeVisible()
  const [studio, packages] = [await topOf(page, '#create'), await topOf(page, '#packages')]
  expect(studio, 'the last selfie stays above them').toBeLessThan(packages)
  const bar = page.locator('.generate-bar')
  await expect(bar).toBeInViewport({ ratio: 1 })
  await bar.getByRole('link', { name: 'Get more credits' }).tap()
  await expect(page.getByRole('button', { name: 'Purchase $10' })).toBeInViewport({ ratio: 1 })
  await expect(bar, 'it makes room for what it led to').not.toBeInViewport()
  await page.evaluate(() => scrollTo(0, 0))
  await expect(bar).toBeInViewport({ ratio: 1 })
  await unfoldPackages(page)
  await expect(page.getByRole('button', { name: 'Purchase $19.90' })).toBeVisible()
})
