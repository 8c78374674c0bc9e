import { readKeptDraft } from './kept-draft.ts'
import {
  balance,
  chooseOwnPhoto,
  expect,
  fixture,
  generateButton,
  type Page,
  pickStar,
  portrait,
  resultPicture,
  test,
  unfoldWishes,
} from './story.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

const ownPhoto = (page: Page) => page.getByRole('img', { name: 'Your photo', exact: true })
const placePhoto = (page: Page) => page.getByRole('img', { name: 'Your background photo' })
const starPhoto = (page: Page) =>
  page
    .getByRole('region', { name: 'PERSON 3' })
    .getByRole('img', { name: 'Your photo of the star' })
const keptDatabases = async (page: Page): Promise<string[]> =>
  await page.evaluate(async () =>
    (await indexedDB.databases()).map(({ name }) => name ?? '').toSorted(),
  )

test('what was chosen survives a reload, also once it was used @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await page.getByLabel('PERSON 2: Upload Photo').setInputFiles(portrait('face-4'))
  await expect(page.getByText('Great photo of the star.')).toBeVisible()
  await unfoldWishes(page)
  await page.getByLabel('Name a place').fill('warm evening light')
  await page.getByText('The people in the photos I upload agreed').tap()
  await expect.poll(() => keptDatabases(page)).toEqual(['selfie_draft'])
  // The last change is written a moment after it was made.
  await expect
    .poll(() => page.evaluate(readKeptDraft))
    .toMatchObject({ photos: ['mine', 'custom'], prompt: 'warm evening light', consent: true })
  await page.reload()
  await expect(ownPhoto(page)).toBeVisible()
  await expect(page.getByRole('img', { name: 'Your photo of the star' })).toBeVisible()
  await unfoldWishes(page)
  await expect(page.getByLabel('Name a place')).toHaveValue('warm evening light')
  await expect(generateButton(page)).toBeEnabled()
  await generateButton(page).tap()
  await expect(resultPicture(page)).toBeVisible()
  await page.reload()
  await expect(resultPicture(page)).toBeVisible()
  await expect(ownPhoto(page), 'it is there for the next selfie').toBeVisible()
})

test('a second star’s photo and a place are kept with the others, and gone with them @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await pickStar(page)
  await page.getByRole('button', { name: 'Add a second star' }).tap()
  await page.getByLabel('PERSON 3: Upload Photo').setInputFiles(portrait('face-5'))
  await unfoldWishes(page)
  await page.getByRole('radio', { name: 'Your own background' }).focus()
  await page.keyboard.press('Space')
  await page.getByLabel('BACKGROUND: Upload Photo').setInputFiles(fixture('curtain.jpg'))
  await expect(page.getByText('Good background.')).toBeVisible()
  await expect(starPhoto(page)).toBeVisible()
  await expect.poll(() => keptDatabases(page)).toEqual(['selfie_draft'])
  await expect
    .poll(() => page.evaluate(readKeptDraft))
    .toMatchObject({ photos: ['secondCustom', 'background'] })
  await page.reload()
  await unfoldWishes(page)
  await expect(placePhoto(page)).toBeVisible()
  await expect(starPhoto(page)).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).tap()
  await expect(page).toHaveURL(/\/auth$/)
  await expect.poll(() => keptDatabases(page)).toEqual([])
})

test('half an hour later nothing is left of it @once', async ({ page, newcomer }) => {
  await page.clock.install()
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  await page.clock.runFor(1_000)
  await expect.poll(() => keptDatabases(page)).toEqual(['selfie_draft'])
  // The half hour begins when the last that was chosen is written.
  await expect
    .poll(() => page.evaluate(readKeptDraft))
    .toMatchObject({ photos: ['mine'], presetId: 'elena-vassandri' })
  await page.clock.fastForward('31:00')
  await expect.poll(() => keptDatabases(page)).toEqual([])
  await expect(ownPhoto(page), 'it stays on the page that is open').toBeVisible()
})

test('signing out removes it, in all tabs @once', async ({ page, context, newcomer }) => {
  const person = await newcomer()
  await chooseOwnPhoto(page)
  await expect.poll(() => keptDatabases(page)).toEqual(['selfie_draft'])
  await expect.poll(() => page.evaluate(readKeptDraft)).toMatchObject({ photos: ['mine'] })
  const other = await context.newPage()
  await other.goto('/dashboard')
  await expect(ownPhoto(other), 'a second tab finds it too').toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).tap()
  await expect(other).toHaveURL(/\/auth$/)
  await expect.poll(() => keptDatabases(page)).toEqual([])
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).tap()
  await expect(balance(page)).toHaveText('1')
  await expect(ownPhoto(page)).toBeHidden()
})
