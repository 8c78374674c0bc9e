import { readKeptDraft } from './kept-draft.ts'
import {
  balance,
  chooseOwnPhoto,
  expect,
  fixture,
  generateButton,
  type Page,
  pickStar,
  resultPicture,
  test,
  unfoldWishes,
} from './story.ts'

test.use({ tolerated: /status of 415/ })

const tile = (page: Page) => page.getByRole('radio', { name: 'Your own background' })
const panel = (page: Page) => page.getByRole('region', { name: 'Your own background' })
const upload = (page: Page) => page.getByLabel('BACKGROUND: Upload Photo')
const preview = (page: Page) => page.getByRole('img', { name: 'Your background photo' })

async function chooseTile(page: Page): Promise<void> {
  await unfoldWishes(page)
  await tile(page).focus()
  await page.keyboard.press('Space')
  await expect(tile(page)).toBeChecked()
}

test('a selfie is set in a photo of a place, which survives a reload @resized', async ({
  page,
  see,
  newcomer,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  await expect(generateButton(page)).toBeEnabled()
  await chooseTile(page)
  await expect(page.getByText('Add a photo of the place, or choose a scene.')).toBeVisible()
  await expect(generateButton(page)).toBeDisabled()
  await see('own-background-empty')
  await upload(page).setInputFiles(fixture('curtain.jpg'))
  await expect(preview(page)).toBeVisible()
  await expect(panel(page).getByText('Good background.')).toBeVisible()
  await expect(generateButton(page)).toBeEnabled()
  await see('own-background-chosen')
  // The last change is written a moment after it was made.
  await expect
    .poll(() => page.evaluate(readKeptDraft))
    .toMatchObject({ photos: ['mine', 'background'] })
  await page.reload()
  await unfoldWishes(page)
  await expect(preview(page)).toBeVisible()
  await expect(tile(page)).toBeChecked()
  // A press while the photos' checks come back would find the button off.
  await expect(panel(page).getByText('Good background.')).toBeVisible()
  await expect(page.getByText("Great photo. You're ready.").first()).toBeVisible()
  await generateButton(page).click()
  await expect(resultPicture(page)).toBeVisible()
  await expect(balance(page)).toHaveText('0')
  await see('own-background-result')
})

test('a background that can’t be used says why, and can be removed @resized', async ({
  page,
  see,
  newcomer,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  await chooseTile(page)
  await page.evaluate(() => window.scrollTo(0, 0))
  await upload(page).setInputFiles({
    name: 'place.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('The sea, in words.'),
  })
  const reason = panel(page).getByText("We can't read this file.")
  const isInSight = () =>
    reason.evaluate((one) => {
      const { left, bottom } = one.getBoundingClientRect()
      return document.elementFromPoint(left + 4, bottom - 4) === one
    })
  await expect.poll(isInSight, 'the reason comes into sight, above the bar').toBe(true)
  await expect(page.locator('#why-not'), 'and the bar says that another is needed').toContainText(
    /another background photo|can't read this file/,
  )
  await see('own-background-refused')
  await page.getByRole('button', { name: 'Remove the background' }).click()
  await expect(panel(page)).toBeHidden()
  await expect(page.getByRole('radio', { name: 'As in your photo' })).toBeChecked()
  await expect(generateButton(page)).toBeEnabled()
})
