import {
  boxOf,
  chooseOwnPhoto,
  expect,
  fixture,
  generateButton,
  type Locator,
  type Page,
  pickStar,
  portrait,
  registerByCall,
  signIn,
  test,
  unfoldWishes,
} from './story.ts'

const frameOf = (page: Page, title: string) =>
  page.getByRole('region', { name: title }).locator('[class*="aspect-4/5"]').first()
const resultFrame = (page: Page) => page.getByText('Your selfie will appear here.')
const stars = (page: Page) => page.getByRole('group', { name: 'Or choose preset:' })
const wishLine = (page: Page) => page.locator('.wish-line')
const generateBar = (page: Page) => page.locator('.generate-bar')
const placeOf = (part: Locator) =>
  part.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect)
/** Whether the bar with the main button cuts through the texts of the line of the wishes. */
const isLineCut = (page: Page): Promise<boolean> =>
  wishLine(page).evaluate((line) => {
    const bar = document.querySelector('.generate-bar')?.getBoundingClientRect().top ?? 0
    const isShown = getComputedStyle(line).opacity !== '0'
    return [...line.children].some((part) => {
      const { top, bottom } = part.getBoundingClientRect()
      return isShown && top < bar && bottom > bar + 2
    })
  })
/** The frames leave the line of the wishes its room above the bar, whatever is said of a photo. */
async function expectRoom(page: Page): Promise<void> {
  const [line, below] = await Promise.all([wishLine(page), generateBar(page)].map(placeOf))
  expect(line?.bottom, 'the frames leave it its room').toBeLessThanOrEqual((below?.top ?? 0) + 6)
  await expect(wishLine(page)).toHaveCSS('opacity', '1')
}
/** The scenes whose names are cut, or don't stand below their pictures. */
const unreadNames = (scenes: Locator): Promise<string[]> =>
  scenes.evaluateAll((labels) =>
    labels.flatMap((label) => {
      const [picture, name] = label.querySelectorAll(':scope > span')
      const { top = 0, bottom = 0 } = name?.getBoundingClientRect() ?? {}
      const isBelow = top >= (picture?.getBoundingClientRect().bottom ?? 0) && bottom <= innerHeight
      const isWhole = (name?.scrollHeight ?? 0) <= (name?.clientHeight ?? 0) + 1
      return isBelow && isWhole ? [] : [name?.textContent ?? '']
    }),
  )
const step = (page: Page) => page.locator('[aria-current="step"]')

for (const [width, height] of [
  [1440, 900],
  [1366, 768],
  [1280, 800],
] as const) {
  test(`at ${width} by ${height} the whole studio is seen without scrolling @once`, async ({
    page,
    newcomer,
    see,
  }) => {
    await page.setViewportSize({ width, height })
    await newcomer()
    await expect(page.getByRole('button', { name: 'Elena Vassandri' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Use sample face 1' })).toBeVisible()
    const bar = await boxOf(generateButton(page))
    expect(bar && bar.y + bar.height, 'the main button').toBeLessThanOrEqual(height)
    const frames = ['PERSON 1', 'PERSON 2'].map((title) => frameOf(page, title))
    const boxes = await Promise.all([...frames, resultFrame(page), stars(page)].map(boxOf))
    for (const box of boxes) {
      expect(box?.y).toBeGreaterThan(0)
      expect((box?.y ?? 0) + (box?.height ?? 0), 'above the bar').toBeLessThan(bar.y)
    }
    const [first, second, , shelf] = boxes
    for (const photo of [first, second]) expect(photo?.height).toBeLessThanOrEqual(320)
    expect(shelf?.y, 'the stars lie beside the frames').toBeLessThan(
      (first?.y ?? 0) + (first?.height ?? 0) / 2,
    )
    const wishes = await boxOf(wishLine(page))
    expect(wishes.y + wishes.height).toBeLessThanOrEqual(bar.y + 8)
    // Every scene is one press away, the own photo's first.
    const scenes = page.getByRole('group', { name: 'Scene' }).locator('label')
    await expect(scenes).toHaveCount(14)
    await expect(scenes.first()).toHaveText('As in your photo')
    for (const scene of await scenes.all()) {
      await expect(scene.locator(':scope > span').first()).toBeInViewport({ ratio: 1 })
    }
    expect(await unreadNames(scenes), 'each with its whole name below it').toEqual([])
    await scenes.nth(4).click()
    await expect(page.getByRole('radio', { name: 'Forest' })).toBeChecked()
    const figures = await page
      .locator('.figure-card')
      .evaluateAll((cards) =>
        cards
          .map((card) => card.getBoundingClientRect())
          .map(({ top, height: high }) => [top, high]),
      )
    expect(new Set(figures.map(([top]) => top)).size, 'the figures are one row').toBe(1)
    expect(figures[0]?.[1]).toBeLessThanOrEqual(64)
    await expect(
      page.getByRole('button', { name: /^Purchase \$/ }),
      'both packages stand open',
    ).toHaveCount(2)
    await see(`first-screen-${width}`)
    // Whatever the photo check says above them.
    await page.getByLabel('PERSON 1: Upload Photo').setInputFiles(fixture('curtain.jpg'))
    await expect(page.getByText('No face was found.')).toBeVisible()
    await expect.poll(() => isLineCut(page)).toBe(false)
    await page.getByLabel('PERSON 1: Upload Photo').setInputFiles(fixture('two-people.jpg'))
    await expect(page.getByText('2 faces found.')).toBeVisible()
    await expectRoom(page)
    await chooseOwnPhoto(page)
    await pickStar(page)
    await expectRoom(page)
    const line = await placeOf(wishLine(page))
    const link = generateBar(page).getByRole('button', { name: 'Scene, format, look' })
    await expect(link, 'nothing stands there twice').toBeHidden()
    const main = page.getByRole('main')
    for (const shown of [10, 24, 38]) {
      const push = height - 66 - shown - line.top
      await main.evaluate((element, px) => (element.style.paddingTop = `${px}px`), push)
      await expect.poll(() => isLineCut(page), { message: `${shown} px of it` }).toBe(false)
      await expect(wishLine(page)).toHaveCSS('opacity', '0')
    }
    // The focus scrolls to the line, and stays on the link meanwhile.
    await link.press('Enter')
    await expect(page.getByRole('radio', { name: 'City by day' }).locator('..')).toBeInViewport()
  })
}

/** The stars' names that are cut: by the next row, or where the list fades out. */
const cutNames = (page: Page): Promise<string[]> =>
  stars(page).evaluate((grid) => {
    const tiles = [...grid.children].map((tile) => {
      const name = tile.querySelector('button > :last-child')
      const end = name?.getBoundingClientRect().bottom ?? 0
      return { top: tile.getBoundingClientRect().top, text: name?.textContent ?? '', end }
    })
    const fadePx = 24
    const fade = grid.getBoundingClientRect().bottom - fadePx
    return tiles.flatMap(({ text, end, top }) => {
      const isUnderNext = tiles.some((other) => other.top > top + 1 && other.top < end)
      const isFaded = top < fade - 1 && end > fade + 1
      return isUnderNext || isFaded ? text : []
    })
  })

test('the stars’ names stand whole, of whatever length @once', async ({ page, newcomer }) => {
  await newcomer()
  await pickStar(page)
  for (const [width, height] of [
    [1440, 900],
    [1366, 768],
    [1280, 850],
    [1280, 800],
    [1280, 720],
    [1024, 768],
    [768, 1024],
  ] as const) {
    await page.setViewportSize({ width, height })
    expect(await cutNames(page), `at ${width} by ${height}`).toEqual([])
  }
  const longName = 'Bartholomew Montgomery Featherstone'
  await stars(page)
    .getByText('Elena Vassandri')
    .evaluate((name, text) => (name.textContent = text), longName)
  for (const width of [1280, 768]) {
    await page.setViewportSize({ width, height: 1024 })
    expect(await cutNames(page), `at ${width}`).not.toContain(longName)
  }
})

test('the frames leave the line of the wishes its room below an order that waits @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await page.setViewportSize({ width: 1440, height: 900 })
  const payment = page.context().waitForEvent('page')
  await page.getByRole('button', { name: 'Purchase $10' }).click()
  await (await payment).close()
  await expect(page.getByText('Payment Pending')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Waiting for your payment')).toBeVisible()
  for (const [width, height] of [
    [1440, 900],
    [1366, 768],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    const [line, below] = await Promise.all([wishLine(page), generateBar(page)].map(placeOf))
    expect(line?.bottom).toBeLessThanOrEqual((below?.top ?? 0) + 6)
    await expect(wishLine(page)).toHaveCSS('opacity', '1')
  }
})

test('a frame is pressed as a whole to add a photo, and the page leads on to the star', async ({
  page,
  newcomer,
  isMobile,
}) => {
  await newcomer()
  await expect(page.getByRole('button', { name: 'Elena Vassandri' })).toBeVisible()
  await expect(step(page)).toHaveText(/Add your photo$/)
  const frame = page.getByRole('button', { name: 'Upload Photo: PERSON 1' })
  const chooser = page.waitForEvent('filechooser')
  const corner = { position: { x: 12, y: 12 } }
  await (isMobile ? frame.tap(corner) : frame.click(corner))
  await (await chooser).setFiles(portrait('face-2'))
  await expect(step(page)).toHaveText(/Pick a star$/)
  await expect(stars(page), 'also where the stars lie below the frames').toBeInViewport({
    ratio: 0.9,
  })
  await pickStar(page)
  await expect(step(page)).toHaveText(/Generate$/)
  await expect(generateButton(page)).toBeEnabled()
})

test('the main button stays on the screen while the studio is scrolled', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await unfoldWishes(page)
  for (const part of [page.locator('#studio'), page.getByLabel('Name a place')]) {
    await part.scrollIntoViewIfNeeded()
    await expect(generateButton(page)).toBeInViewport({ ratio: 1 })
  }
})

test('without credits the bar offers more of them @once', async ({ page, newcomer }) => {
  await newcomer()
  const token = await page.evaluate(() => localStorage.getItem('auth_token'))
  await page.request.post('/api/user?action=consume-credits', {
    headers: { authorization: `Bearer ${token}` },
    data: { amount: 1 },
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await expect(page.getByText('You have no credits left.')).toBeVisible()
  await page.locator('.generate-bar').getByRole('link', { name: 'Get more credits' }).click()
  await expect(page.getByRole('button', { name: 'Purchase $10' })).toBeInViewport()
})

test('the keyboard meets the packages after the studio where they stand below it @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  await generateButton(page).focus()
  await page.keyboard.press('Tab')
  await expect(
    page.getByRole('region', { name: 'Get more credits' }).locator(':focus'),
  ).toHaveCount(1)
})

test.describe('in Spanish', () => {
  test.use({ locale: 'es' })

  test('on a low screen a star’s frame names itself and its badge whole @once', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1280, height: 720 })
    await signIn(page, await registerByCall(page))
    await page.getByRole('button', { name: 'Elena Vassandri', exact: true }).click()
    const head = page.getByText('ESTRELLA', { exact: true }).locator('..')
    await expect(head).toBeVisible()
    const cut = await head.evaluate((row) =>
      [row, ...row.children].filter((part) => part.scrollWidth > part.clientWidth + 1),
    )
    expect(cut).toEqual([])
  })
})
