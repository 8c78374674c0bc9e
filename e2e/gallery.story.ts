import sharp from 'sharp'
import type { GenerationItem, GenerationListAnswer } from '@starside/contract/generation.ts'
import {
  boxOf,
  endGlide,
  expect,
  glideTo,
  holdGlides,
  ownerOfSelfie,
  type Page,
  test,
} from './story.ts'

const pageSize = 10
const names = ['Elena Vassandri', 'Mina Asakuri']

/** Has the server list many selfies in place of the one that was made, by turns with both stars. */
async function listMany(
  page: Page,
  count: number,
  change = (item: GenerationItem, _index: number): GenerationItem => item,
): Promise<void> {
  await page.route(
    ({ pathname }) => pathname === '/api/generations',
    async (route) => {
      const asked = new URL(route.request().url()).searchParams
      const response = await route.fetch({ url: route.request().url().replace(/\?.*/, '') })
      const { items } = (await response.json()) as GenerationListAnswer
      const [made] = items
      if (made === undefined) throw new Error('No selfie was made')
      const all = Array.from({ length: count }, (_, index): GenerationItem => {
        const celebrity = names[index % names.length] ?? ''
        // Some beside a second one, for titles of several lengths.
        const celebrities = [celebrity, 'Henrik Solmark'].slice(0, 1 + (index % 2))
        const item = { ...made, generationId: `made-${index}`, celebrity, celebrities }
        return change(item, index)
      }).filter((item) => [null, item.celebrity].includes(asked.get('star')))
      if (asked.get('order') === 'oldest') all.reverse()
      const from = Number(asked.get('cursor') ?? 0)
      const answer: GenerationListAnswer = {
        success: true,
        items: all.slice(from, from + pageSize),
        nextCursor: from + pageSize < all.length ? String(from + pageSize) : null,
        total: all.length,
        stars: names,
      }
      await route.fulfill({ json: answer })
    },
  )
  await page.reload()
}

const frames = (page: Page) => page.getByRole('button', { name: /^Selfie with/ })
const turning = ['Previous selfie', 'Next selfie']
const inHead = ['Delete', 'Close']
/** Where buttons of the open selfie stand. */
const placesOf = (page: Page, buttons = [...turning, ...inHead]) =>
  Promise.all(
    buttons.map(async (name) => {
      const box = await boxOf(dialog(page).getByRole('button', { name }))
      return { x: Math.round(box.x), y: Math.round(box.y) }
    }),
  )
const dialog = (page: Page) => page.getByRole('dialog', { name: /^Selfie with/ })

/** Shows a picture of 16:9 in the frame of one. */
async function makeWide(picture: SVGElement | HTMLElement): Promise<void> {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 900 })
  canvas.getContext('2d')?.fillRect(0, 0, 1600, 900)
  const shown = picture as HTMLImageElement
  Object.assign(shown, { src: canvas.toDataURL() })
  shown.closest('li')?.style.setProperty('--aspect', `${16 / 9}`)
  await shown.decode()
}

/** Rows of the gallery, but for the last, whose pictures are of several heights or leave a part of it empty. */
const unevenRows = (page: Page) =>
  page.locator('.gallery-rows').evaluate((list) => {
    const boxes = [...list.querySelectorAll('img')].map((one) => one.getBoundingClientRect())
    const rows = Map.groupBy(boxes, ({ top }) => Math.round(top))
    const { right } = list.getBoundingClientRect()
    return [...rows.values()].slice(0, -1).flatMap((row) => {
      const heights = row.map(({ height }) => height)
      const isEven = Math.max(...heights) - Math.min(...heights) < 2
      return isEven && right - (row.at(-1)?.right ?? 0) < 2 ? [] : [row.map(({ width }) => width)]
    })
  })

test('the dashboard shows the four newest selfies, the gallery all of them, and Back leads to where one was @resized', async ({
  page,
  see,
}) => {
  await ownerOfSelfie(page)
  await listMany(page, 14)
  await expect(frames(page)).toHaveCount(4)
  // A press is lost where the link moves below it, as what is above it still comes.
  await expect(async () => {
    await page.getByRole('link', { name: 'All selfies' }).click({ timeout: 2_000 })
    await expect(page).toHaveURL(/\/gallery$/, { timeout: 2_000 })
  }).toPass()
  await expect(page.getByRole('heading', { name: 'Your selfies' })).toBeFocused()
  await expect(page).toHaveTitle('Your selfies')
  await expect(frames(page)).toHaveCount(pageSize)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(frames(page)).toHaveCount(14)
  const stretch = () =>
    frames(page)
      .first()
      .locator('img')
      .evaluate((picture: HTMLImageElement) => {
        const { width, height, naturalWidth, naturalHeight } = picture
        return (width * naturalHeight) / (height * naturalWidth)
      })
  await expect.poll(stretch, { message: 'it keeps its shape' }).toBeCloseTo(1, 1)
  await see('gallery')
  await page.getByRole('button', { name: 'Select', exact: true }).press('Enter')
  const boxes = page.getByRole('checkbox', { name: /^Selfie with/ })
  await boxes.nth(0).press('Space')
  await boxes.nth(3).check()
  await expect(page.getByText('2 selected')).toBeVisible()
  await see('gallery-select')
  const saved: string[] = []
  page.on('download', (download) => saved.push(download.suggestedFilename()))
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await expect.poll(() => saved.length, 'one after the other').toBe(2)
  await page.getByRole('button', { name: 'Select all' }).click()
  await expect(page.getByText('14 selected')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(boxes).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Select', exact: true })).toBeFocused()
  await page.evaluate(() => scrollTo(0, 300))
  const stoodAt = await page.evaluate(() => scrollY)
  expect(stoodAt).toBeGreaterThan(0)
  // Without the scrolling that a click on it would begin with.
  await page.getByRole('link', { name: 'Back to the dashboard' }).evaluate((one: HTMLElement) => {
    one.click()
  })
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(frames(page)).toHaveCount(4)
  await page.goBack()
  await expect(frames(page)).toHaveCount(14)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(stoodAt)
  const wide = frames(page).nth(1).locator('img')
  await wide.evaluate(makeWide)
  for (const width of [1440, 1280, 768, 390, 360]) {
    await page.setViewportSize({ width, height: 800 })
    const shape = await wide.evaluate((one) => one.clientWidth / one.clientHeight)
    expect(shape, `whole at ${width}`).toBeCloseTo(16 / 9, 1)
    expect(await unevenRows(page), `rows of one height without holes at ${width}`).toEqual([])
  }
})

test('in the gallery a selfie opens large; buttons and arrow keys turn to its neighbours, Back and Escape close it @resized', async ({
  page,
  see,
}) => {
  await ownerOfSelfie(page)
  await listMany(page, 12)
  await page.goto('/gallery')
  await frames(page).nth(2).click()
  const place = dialog(page).getByRole('status').getByText('3 of 12')
  await expect(place).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(place, 'no key deletes what was only opened').toBeVisible()
  await expect(dialog(page).getByRole('link', { name: 'Remove the watermark' })).toBeVisible()
  for (const name of ['Next selfie', 'Adjust']) {
    const button = dialog(page).getByRole('button', { name })
    await expect(button, 'without scrolling').toBeInViewport({ ratio: 1 })
  }
  await see('gallery-picture')
  const stood = await placesOf(page)
  await page.keyboard.press('ArrowRight')
  await expect(dialog(page).getByText('4 of 12')).toBeVisible()
  expect(await placesOf(page), 'where they stood beside another name').toEqual(stood)
  const size = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 780 })
  const rows = new Set((await placesOf(page, inHead)).map(({ y }) => y))
  expect(rows.size, 'in one row').toBe(1)
  if (size) await page.setViewportSize(size)
  await dialog(page).getByRole('button', { name: 'Previous selfie' }).click()
  await expect(dialog(page).getByText('3 of 12')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(dialog(page).getByText('2 of 12')).toBeVisible()
  await page.goBack()
  await expect(dialog(page)).toBeHidden()
  await expect(page).toHaveURL(/\/gallery$/)
  await frames(page).nth(9).click()
  const next = dialog(page).getByRole('button', { name: 'Next selfie' })
  await expect(next, 'what was not loaded yet comes').toHaveAttribute('aria-disabled', 'false')
  await page.keyboard.press('ArrowRight')
  await expect(dialog(page).getByText('11 of 12')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(frames(page).nth(10), 'the frame of what was shown last').toBeFocused()
  await page.route('**/api/generations/made-*', (route) =>
    route.fulfill({ json: { success: true } }),
  )
  await page.setViewportSize({ width: 1366, height: 768 })
  await frames(page).nth(2).click()
  const acts = [...turning, ...inHead, 'Download Image', 'Share on X', 'Adjust']
  const places = await placesOf(page, acts)
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page).getByText('3 of 11')).toBeVisible()
  await expect(dialog(page).getByText('The picture was deleted.')).toBeInViewport()
  expect(await placesOf(page, acts), 'beside the next one, and what is said').toEqual(places)
  await expect(dialog(page).getByRole('img', { name: /made with AI/ }), 'whole').toBeInViewport({
    ratio: 0.99,
  })
  await dialog(page)
    .getByRole('img', { name: /made with AI/ })
    .evaluate((picture: HTMLElement) => {
      picture.closest<HTMLElement>('.result-print')?.style.setProperty('--aspect', '1.7778')
    })
  expect(await placesOf(page, acts), 'beside one of another format').toEqual(places)
  await page.keyboard.press('Escape')
  await frames(page).first().click()
  await dialog(page).getByRole('link', { name: 'Remove the watermark' }).click()
  await expect(page.getByRole('button', { name: 'Purchase $10' })).toBeVisible()
})

test('the selfie that one turns to stands there small at once, in its own shape, until its picture comes over it @once', async ({
  page,
}) => {
  await ownerOfSelfie(page)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await listMany(page, 3, (item, index) => ({
    ...item,
    imageUrl: `${item.imageUrl}&of=${index}`,
    ...(index === 1 ? { widthPx: 1600, heightPx: 900, variations: [] } : {}),
  }))
  const held = Promise.withResolvers<void>()
  await page.route(/picture\.jpg.*&of=1$/, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/gallery')
  await frames(page).first().click()
  await expect(dialog(page).getByText('1 of 3')).toBeVisible()
  const picture = dialog(page).getByRole('img', { name: /made with AI/ })
  await expect(picture).toHaveCSS('opacity', '1')
  const ahead = dialog(page).locator('img[hidden]').last()
  await expect(ahead, 'fetched ahead').toHaveAttribute('src', /&of=1$/)
  const turned = await page.evaluate(async () => {
    const glides = document.startViewTransition.bind(document)
    let hasGlided = false
    document.startViewTransition = (update) => {
      hasGlided = true
      return glides(update)
    }
    document
      .querySelector('.picture-dialog [autofocus]')
      ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    const [small] = document.querySelectorAll<HTMLImageElement>('.result-print > div > img')
    const { clientWidth, clientHeight } = small!
    return { hasGlided, isThere: small!.complete, shape: clientWidth / clientHeight }
  })
  expect(turned, 'nothing of the one before stays').toMatchObject({
    hasGlided: false,
    isThere: true,
  })
  expect(turned.shape).toBeCloseTo(16 / 9, 1)
  await expect(dialog(page).getByText('2 of 3')).toBeVisible()
  await expect(picture).toHaveCSS('opacity', '0')
  held.resolve()
  await expect(picture).toHaveCSS('opacity', '1')
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('ArrowRight')
  await expect(dialog(page).getByText('3 of 3')).toBeVisible()
})

test('only the picture of a selfie grows out of its place and back into it, and nothing lies over its neighbours @once', async ({
  page,
}) => {
  await holdGlides(page)
  await ownerOfSelfie(page)
  await listMany(page, 3)
  await page.goto('/gallery', { waitUntil: 'networkidle' })
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  for (const picture of await frames(page).locator('img').all()) {
    await picture.evaluate((image: HTMLImageElement) => image.decode())
  }
  // The tiles fade in once more where motion is wanted.
  await page.locator('.gallery-rows').evaluate(async (rows) => {
    await Promise.all(rows.getAnimations({ subtree: true }).map(({ finished }) => finished))
  })
  const frame = frames(page).first()
  const neighbours = await Promise.all([1, 2].map((at) => boxOf(frames(page).nth(at))))
  const brightness = () =>
    Promise.all(
      neighbours.map(async (clip) => {
        const { channels } = await sharp(
          await page.screenshot({ clip, animations: 'allow' }),
        ).stats()
        return Math.round(channels.reduce((sum, { mean }) => sum + mean, 0) / channels.length)
      }),
    )
  const before = await brightness()
  const expectSeen = async (when: string): Promise<void> => {
    for (const [at, mean] of (await brightness()).entries()) {
      expect(Math.abs(mean - (before[at] ?? 0)), `of neighbour ${at} ${when}`).toBeLessThan(6)
    }
  }
  await frame.press('Enter')
  expect(await glideTo(page, 0), 'what glides').toEqual(['picture', 'root'])
  await expectSeen('as it opens')
  await endGlide(page)
  await expect(dialog(page).getByRole('img', { name: /made with AI/ })).toHaveCSS('opacity', '1')
  await page.keyboard.press('Escape')
  expect(await glideTo(page, 200), 'what glides back').toEqual(['picture', 'root'])
  await expectSeen('before it has closed')
  await endGlide(page)
  await expect(frame).toBeFocused()
})

test('a swipe turns to the next selfie', async ({ page, isMobile }) => {
  test.skip(!isMobile, 'a mouse does not swipe')
  await ownerOfSelfie(page)
  await listMany(page, 3)
  await page.goto('/gallery')
  await frames(page).first().tap()
  const picture = dialog(page).getByRole('img', { name: /made with AI/ })
  const box = await boxOf(picture)
  const touch = await page.context().newCDPSession(page)
  const y = box.y + box.height / 2
  const swipe = async (from: number, to: number): Promise<void> => {
    const at = (part: number) => ({ touchPoints: [{ x: box.x + box.width * part, y }] })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(from) })
    for (const part of [(from + to) / 2, to]) {
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(part) })
    }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  await swipe(0.8, 0.2)
  await expect(dialog(page).getByText('2 of 3')).toBeVisible()
  await swipe(0.2, 0.8)
  await expect(dialog(page).getByText('1 of 3')).toBeVisible()
})

test('the gallery shows the selfies with one star, and the oldest first, also after a reload @once', async ({
  page,
}) => {
  await ownerOfSelfie(page)
  await listMany(page, 12)
  await page.goto('/gallery')
  await page.getByLabel('Star').selectOption('Mina Asakuri')
  await expect(frames(page)).toHaveCount(6)
  await expect(page.getByRole('button', { name: /with Elena Vassandri/ })).toHaveCount(0)
  await page.reload()
  await expect(frames(page)).toHaveCount(6)
  await page.getByLabel('Sort by').selectOption('Oldest first')
  const first = dialog(page).getByText('1 of 6')
  await expect(page).toHaveURL(/\/gallery\?star=Mina\+Asakuri&order=oldest$/)
  await expect(page.locator('[data-frame]').first()).toHaveAttribute('data-frame', 'made-11')
  await page.reload()
  await page.locator('[data-frame="made-11"]').getByRole('button').click()
  await expect(first).toBeVisible()
  await page.goBack()
  await page.getByLabel('Star').selectOption('All stars')
  await expect(frames(page)).toHaveCount(pageSize)
  await page.getByLabel('Sort by').selectOption('Newest first')
  await expect(page).toHaveURL(/\/gallery$/)
  await expect(page.locator('[data-frame]').first()).toHaveAttribute('data-frame', 'made-0')
})

test.describe('with a list that does not load', () => {
  test.use({ tolerated: /ERR_FAILED/ })

  test('an empty gallery says so, and one that does not load is asked for again @once', async ({
    page,
    newcomer,
  }) => {
    await newcomer()
    await page.goto('/gallery')
    await expect(page.getByText('No selfies yet. Yours will appear here.')).toBeVisible()
    await page.route('**/api/generations', (route) => route.abort())
    await page.reload()
    await expect(page.getByText('Your selfies could not be loaded.')).toBeVisible()
    await page.unroute('**/api/generations')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('No selfies yet. Yours will appear here.')).toBeVisible()
  })
})

test('who came for the gallery and had to sign in first is led there @once', async ({
  page,
  newcomer,
}) => {
  const { email, password } = await newcomer()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await page.goto('/gallery')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(/\/gallery$/)
})
