import { expect, generateButton, portrait, test } from './story.ts'

test('a selfie can be set up and dialogs used with the keyboard alone @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  const chooser = page.waitForEvent('filechooser')
  await page
    .getByRole('region', { name: 'PERSON 1' })
    .getByRole('button', { name: 'Upload Photo: PERSON 1' })
    .focus()
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(portrait('face-2'))
  await expect(page.getByText('Great photo.')).toBeVisible()
  await page.getByRole('button', { name: 'Elena Vassandri' }).focus()
  await page.keyboard.press('Space')
  await expect(generateButton(page)).toBeEnabled()
  await page.getByRole('radio', { name: 'As in your photo' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Old town square' })).toBeChecked()
  const opener = page
    .getByRole('region', { name: 'PERSON 1' })
    .getByRole('button', { name: 'Take Photo' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Take a photo' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(opener).toBeFocused()
})
