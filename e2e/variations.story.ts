import {
  chooseOwnPhoto,
  expect,
  generateButton,
  pickStar,
  portrait,
  resultPicture,
  test,
} from './story.ts'
import type { Page } from './story.ts'

const result = (page: Page) => page.getByRole('region', { name: 'AI RESULT' })
const frames = (page: Page) =>
  result(page)
    .getByRole('group', { name: 'Variations' })
    .getByRole('button', { name: /^Variation/ })

async function makeSelfie(page: Page) {
  await chooseOwnPhoto(page, portrait('face-1'))
  await pickStar(page)
  await generateButton(page).click()
  await expect(resultPicture(page)).toBeVisible({ timeout: 60_000 })
}

test('one credit gives several variations, of which one is chosen by arrow keys', async ({
  page,
  newcomer,
  see,
}) => {
  await newcomer()
  await makeSelfie(page)
  await expect(frames(page).nth(1)).toBeVisible()
  await expect(frames(page).first()).toHaveAttribute('aria-pressed', 'true')
  await see('variations')
  const before = await resultPicture(page).getAttribute('src')
  await frames(page).first().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const second = result(page).getByRole('button', { name: /^Variation 2/ })
  await expect(second).toHaveAttribute('aria-pressed', 'true')
  await expect(resultPicture(page)).not.toHaveAttribute('src', before ?? '')

  const shown = await frames(page).count()
  await page.getByRole('button', { name: 'Show others' }).click()
  await expect(page.getByRole('button', { name: 'Show others' })).toBeHidden()
  expect(await frames(page).count()).toBeGreaterThanOrEqual(shown)
  const all = await frames(page).count()
  await page.getByRole('button', { name: 'Delete variation 1', exact: true }).click()
  await expect(frames(page)).toHaveCount(all - 1)
})

test('a picture is adjusted by keys and by touch, and saved without a credit', async ({
  page,
  newcomer,
  see,
}) => {
  await newcomer()
  await makeSelfie(page)
  await expect(frames(page).first()).toBeVisible()
  const known = await frames(page).count()
  await page.getByRole('button', { name: 'Adjust', exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'Adjust' })
  await expect(editor.getByText('The picture is up to date.')).toBeVisible()
  await see('editor')
  const preview = editor.getByAltText('The picture as it would be saved')
  const first = await preview.getAttribute('src')

  await editor.getByRole('slider', { name: 'Size' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(preview).not.toHaveAttribute('src', first ?? '')
  await editor.getByRole('button', { name: 'Undo' }).click()
  await expect(preview).toHaveAttribute('src', first ?? '')
  await editor.getByRole('button', { name: 'Redo' }).click()
  await editor.getByRole('combobox', { name: 'Look' }).selectOption('Black and white')

  const box = await preview.boundingBox()
  if (box === null) throw new Error('the picture has no place')
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.4)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.42, { steps: 4 })
  await page.mouse.up()
  await expect(editor.getByText(/up to date|edge of a photo/)).toBeVisible()

  await editor.getByRole('button', { name: 'Save this version' }).click()
  await expect(editor).toBeHidden()
  await expect(frames(page)).toHaveCount(known + 1)
  const saved = frames(page).last()
  await expect(saved).toHaveAttribute('aria-pressed', 'true')
  await expect(saved).toHaveAccessibleName(/adjusted/)
})

test('the parts of a picture are deleted when their owner says so', async ({ page, newcomer }) => {
  await newcomer()
  await makeSelfie(page)
  await page.getByRole('button', { name: 'Delete the parts now' }).click()
  await expect(page.getByRole('button', { name: 'Adjust', exact: true })).toBeHidden()
  await expect(frames(page).first()).toBeVisible()
})
