import type { PresetsAnswer } from '@starside/contract/presets.ts'
import {
  expect,
  generateButton,
  holdAnswers,
  pickStar,
  resultPicture,
  test,
  type Page,
} from './story.ts'

const shelf = (page: Page) => page.getByRole('group', { name: 'Or choose preset:' })
const starButtons = (page: Page) => shelf(page).getByRole('button')

/** Lets the server's answer hold as many stars more, as of an operator who has added them. */
const addStars = (page: Page, count: number) =>
  page.route('**/api/ai?action=presets', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as PresetsAnswer
    const added = Array.from({ length: count }, (_, n) => ({
      ...answer.presets[0]!,
      id: `added-${n}`,
      name: `Added ${n}`,
      line: null,
    }))
    await route.fulfill({ response, json: { ...answer, presets: [...answer.presets, ...added] } })
  })

test('who has no photo at hand gets a first picture in two presses @resized', async ({
  page,
  newcomer,
  see,
}) => {
  await newcomer()
  await expect(generateButton(page)).toBeDisabled()
  const borrow = page.getByRole('button', { name: 'Use sample face 1' })
  // The first star comes along, and so has to be known before.
  const showStars = await holdAnswers(page, ({ search }) => search.includes('action=presets'))
  await page.reload()
  await expect(borrow).toBeDisabled()
  showStars()
  await borrow.click()
  await expect(page.getByText('Not a real person.')).toBeVisible()
  await expect(starButtons(page).first(), 'the focus goes on to the star').toBeFocused()
  await expect(generateButton(page)).toBeEnabled()
  await see('studio-borrowed')
  await generateButton(page).click()
  await expect(resultPicture(page)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Remove the watermark' })).toBeVisible()
})

test('a borrowed face leaves a chosen star alone, and gives way to a photo of one’s own @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await pickStar(page, 'Mina Asakuri')
  await page.getByRole('button', { name: 'Use sample face 2' }).click()
  await expect(page.getByText('Not a real person.')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Mina Asakuri, star' })).toBeVisible()
  const own = page.getByRole('region', { name: 'PERSON 1' })
  await own.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(page.getByText('Not a real person.')).toBeHidden()
  await expect(own.getByRole('heading', { name: 'PERSON 1' })).toBeFocused()
  await page.getByRole('button', { name: 'Use sample face 3' }).click()
  await expect(page.getByText('Not a real person.'), 'another one').toBeVisible()
})

test('a face that does not load is reported, and nothing is chosen @once', async ({
  browser,
  newcomer,
  baseURL,
}) => {
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const page = await context.newPage()
  await page.route('**/api/people/*.jpg', (route) =>
    route.request().url().includes('thumbnail') ? route.continue() : route.abort(),
  )
  await newcomer(page)
  await page.getByRole('button', { name: 'Use sample face 1' }).click()
  await expect(page.getByText('That face could not be loaded. Please try again.')).toBeVisible()
  await expect(page.getByText('Add your photo and a star to start.')).toBeVisible()
  await context.close()
})

test('sixteen stars lie on a shelf to swipe on a phone and in a grid on a desk', async ({
  page,
  newcomer,
  see,
  isMobile,
}) => {
  await newcomer()
  await expect(starButtons(page)).toHaveCount(16)
  await expect(page.getByText('All stars are AI-generated.')).toHaveCount(1)
  const rows = await starButtons(page).evaluateAll(
    (buttons) =>
      new Set(buttons.map((button) => Math.round(button.getBoundingClientRect().top))).size,
  )
  expect(rows).toBe(isMobile ? 1 : 3)
  if (isMobile) {
    const last = starButtons(page).last()
    await shelf(page).evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await expect(starButtons(page).first()).toBeInViewport()
    await expect(last).not.toBeInViewport()
    await shelf(page).evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
    await expect(last).toBeInViewport()
    expect(await shelf(page).evaluate((element) => getComputedStyle(element).scrollSnapType)).toBe(
      'x',
    )
  }
  await see('stars')
})

test('stars are searched by name and line, and narrowed to what they are known for @once', async ({
  page,
  newcomer,
}) => {
  await addStars(page, 4)
  await newcomer()
  await page.getByRole('searchbox', { name: 'Search the stars' }).fill('LIGHTHOUSE')
  await expect(starButtons(page)).toHaveCount(1)
  await expect(page.getByText('Stars found: 1')).toBeAttached()
  await page.getByRole('searchbox').fill('')
  await page.getByLabel('Category').selectOption('Kitchen')
  await expect.poll(() => starButtons(page).count()).toBeLessThan(20)
  await page.getByRole('searchbox').fill('nobody of this name')
  await page.getByRole('button', { name: 'Show all stars' }).click()
  await expect(starButtons(page)).toHaveCount(20)
})

test('the stars are one stop for Tab, and arrow keys go among them by row and column @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await expect(starButtons(page)).toHaveCount(16)
  const columns = await starButtons(page).evaluateAll((buttons) => {
    const tops = buttons.map((button) => button.getBoundingClientRect().top)
    return tops.filter((top) => Math.abs(top - tops[0]!) < 2).length
  })
  expect(columns).toBeGreaterThan(3)
  await starButtons(page).nth(0).focus()
  await page.keyboard.press('ArrowDown')
  await expect(starButtons(page).nth(columns)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(starButtons(page).nth(columns + 1)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  await expect(starButtons(page).nth(1)).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Tab')
  await expect(shelf(page).locator(':focus')).toHaveCount(0)
  await page.keyboard.press('Shift+Tab')
  await expect(starButtons(page).nth(1)).toBeFocused()
})

test('the chosen star can be told in forced colours @once', async ({ page, newcomer }) => {
  await newcomer()
  await page.emulateMedia({ forcedColors: 'active' })
  await pickStar(page)
  const outlines = await starButtons(page).evaluateAll((buttons) =>
    buttons.map((button) => {
      const style = getComputedStyle(button.querySelector('span') ?? button)
      return [button.getAttribute('aria-pressed'), style.outlineStyle, style.outlineWidth].join(' ')
    }),
  )
  expect(outlines.filter((outline) => outline === 'true solid 3px')).toHaveLength(1)
  expect(outlines.filter((outline) => outline.startsWith('false none'))).toHaveLength(15)
})
