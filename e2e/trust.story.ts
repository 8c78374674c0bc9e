import { readFile } from 'node:fs/promises'
import { expect, test } from './story.ts'

const photo = new URL('../engine/fixtures/user-1.jpg', import.meta.url)

test.describe('anybody', () => {
  test('asks whether a picture was made here, by button or by dropping it @resized', async ({
    page,
    see,
  }) => {
    await page.goto('/')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Verify a picture' }).click()
    const dialog = page.getByRole('dialog', { name: 'Verify a picture' })
    await expect(dialog).toBeVisible()
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'holiday.jpg',
      mimeType: 'image/jpeg',
      buffer: await readFile(photo),
    })
    await expect(dialog.getByText("We don't recognise it.")).toBeVisible()
    await expect(dialog.getByText('We found no mark, match or hidden data of ours.')).toBeVisible()
    await see('verify-unknown')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL('/')
  })

  test('opens the report form by its address and is told the deadline @resized', async ({
    page,
    see,
  }) => {
    await page.goto(`/?report=${'a'.repeat(22)}`)
    const dialog = page.getByRole('dialog', { name: 'Report a picture' })
    await expect(dialog.getByLabel('Link or ID')).toHaveValue(/\?selfie=a{22}$/)
    await see('report')
    await dialog.getByLabel('Why are you reporting it?').selectOption('intimate')
    await dialog.getByLabel(/How can we reach you/).fill('reporter@example.com')
    await dialog.getByLabel('For whom do you report it?').selectOption('somebody_else')
    await dialog.getByLabel('Your full name, as your signature').fill('Robin Example')
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'Send the report' }).click()
    await expect(dialog.getByText(/You'll hear from us by .*20\d\d/)).toBeVisible()
    await expect(dialog.getByText(/Reference: [0-9a-f-]{36}/)).toBeVisible()
  })
})

test.describe('with a file that is none', () => {
  test.use({ tolerated: /415/ })
  test('reads what is accepted @once', async ({ page }) => {
    await page.goto('/?verify')
    const dialog = page.getByRole('dialog', { name: 'Verify a picture' })
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'letter.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from('This is a letter.'),
    })
    await expect(dialog.getByRole('alert')).toContainText('JPEG, PNG, HEIC, WebP, AVIF or GIF')
  })
})

test.describe('with a report that lacks something', () => {
  test.use({ tolerated: /400/ })
  test('is told what, and keeps what was typed @once', async ({ page }) => {
    await page.goto('/?report')
    const dialog = page.getByRole('dialog', { name: 'Report a picture' })
    await dialog.getByLabel('Link or ID').fill(crypto.randomUUID())
    await dialog.getByLabel('Details').fill('It is me.')
    await dialog.getByRole('button', { name: 'Send the report' }).click()
    await expect(dialog.getByRole('alert')).toContainText('confirm the statement of good faith')
    await expect(dialog.getByLabel('Details')).toHaveValue('It is me.')
  })
})
