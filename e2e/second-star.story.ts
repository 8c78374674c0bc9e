import { readKeptDraft } from './kept-draft.ts'
import {
  boxOf,
  balance,
  chooseOwnPhoto,
  expect,
  generateButton,
  type Locator,
  type Page,
  pickStar,
  portrait,
  resultPicture,
  test,
  unfoldWishes,
} from './story.ts'

const add = (page: Page) => page.getByRole('button', { name: 'Add a second star' })
const first = (page: Page) => page.getByRole('region', { name: 'PERSON 2' })
const second = (page: Page) => page.getByRole('region', { name: 'PERSON 3' })
const change = (panel: Locator) => panel.getByRole('button', { name: 'Change' })
const starsOf = (panel: Locator) => panel.getByRole('group', { name: 'Or choose preset:' })

test('a second star is added, chosen, removed, and stands in the picture', async ({
  page,
  see,
  newcomer,
  isMobile,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await expect(add(page)).toBeHidden()
  await pickStar(page)
  await add(page).focus()
  await page.keyboard.press('Enter')
  await expect(
    second(page).getByRole('heading', { name: 'PERSON 3' }),
    'the focus goes to what is to be done next',
  ).toBeFocused()
  // On a phone its parts lie apart.
  if (!isMobile) await expect(second(page)).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('Pick the second star, or remove it.')).toBeVisible()
  await expect(starsOf(first(page)), 'one list at a time').toHaveCount(0)
  await change(first(page)).click()
  await expect(starsOf(first(page))).toBeVisible()
  await expect(starsOf(second(page))).toHaveCount(0)
  await second(page).getByRole('button', { name: 'Pick a star' }).click()
  await expect(starsOf(first(page))).toHaveCount(0)
  const steps = await page.locator('.generate-bar li').allTextContents()
  expect(steps).toEqual(['✓You', '✓Elena Vassandri', '3Pick another', '4Generate'])
  // Both stars stand beside each other; the list beside them on a desk, below them on a tablet.
  for (const width of isMobile ? [] : [768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const [one, two, stars] = await Promise.all(
      [
        first(page).getByRole('heading'),
        second(page).getByRole('heading'),
        starsOf(second(page)),
      ].map(boxOf),
    )
    expect(two!.y).toBe(one!.y)
    expect(two!.x).toBeGreaterThan(one!.x)
    if (width === 768) expect(stars!.x).toBeLessThan(one!.x)
    else expect(stars!.x).toBeGreaterThan(two!.x)
  }
  await expect(generateButton(page)).toBeDisabled()
  await expect(
    second(page).getByRole('button', { name: 'Elena Vassandri' }),
    'nobody stands there twice',
  ).toHaveCount(0)
  await page.getByLabel('PERSON 3: Upload Photo').setInputFiles(portrait('face-5'))
  await expect(page.getByText('Please tick the consent box to start.')).toBeVisible()
  await see('second-star-own-photo')
  await page.getByRole('button', { name: 'Remove the second star' }).click()
  await expect(add(page)).toBeFocused()
  await expect(generateButton(page)).toBeEnabled()
  await add(page).click()
  await second(page).getByRole('button', { name: 'Henrik Solmark' }).click()
  await expect(generateButton(page)).toBeEnabled()
  await expect(page.locator('.generate-bar li')).toHaveText([
    '✓You',
    '✓Elena Vassandri',
    '✓Henrik Solmark',
    '4Generate',
  ])
  const line = page.locator('.wish-line')
  await expect(line, 'as wide as three people need').toContainText('Landscape 4:3')
  await expect(line, 'and it says why').toContainText('4:3 gives 3 people more room.')
  await unfoldWishes(page)
  await expect(page.getByRole('radio', { name: 'Landscape 4:3' })).toBeChecked()
  await page.getByRole('radio', { name: 'Portrait 4:5' }).locator('..').click()
  await expect(line.getByText('4:3 gives 3 people more room.')).toBeVisible()
  await expect(generateButton(page), 'it is only advice').toBeEnabled()
  await see('second-star-format')
  await page.getByRole('button', { name: 'Use 4:3' }).click()
  await expect(line).toContainText('Landscape 4:3')
  await expect(line.getByText('4:3 gives 3 people more room.')).toHaveCount(0)
  await see('second-star-chosen')
  await generateButton(page).click()
  await expect(resultPicture(page)).toBeVisible()
  await expect(
    page.getByRole('img', { name: /^Your selfie with Elena Vassandri and Henrik Solmark/ }).first(),
  ).toBeVisible()
  await expect(balance(page)).toHaveText('0')
  // On a desk all who are in the picture stand beside it.
  if (!isMobile) {
    await expect(second(page).getByRole('img').first()).toBeInViewport({ ratio: 1 })
    // One after the other, as keys meet them.
    await change(first(page)).click()
    const [list, below] = await Promise.all(
      [starsOf(first(page)), second(page).getByRole('heading')].map(boxOf),
    )
    expect(list!.y + list!.height).toBeLessThanOrEqual(below!.y)
    await change(second(page)).click()
  }
  // What was made of it is written a moment after it is seen.
  await expect.poll(() => page.evaluate(readKeptDraft)).toMatchObject({ photos: ['mine', 'used'] })
  await page.reload()
  await expect(resultPicture(page)).toBeVisible()
  // With them the next selfie begins.
  await expect(first(page).getByRole('img').first()).toHaveAccessibleName(/^Elena Vassandri/)
  await expect(second(page).getByRole('img').first()).toHaveAccessibleName(/^Henrik Solmark/)
})
