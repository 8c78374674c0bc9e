import { landingRedirectDelayMs } from '@starside/contract/limits.ts'
import {
  balance,
  chooseOwnPhoto,
  expect,
  generateButton,
  holdAnswers,
  openLanding,
  pickStar,
  resultPicture,
  stopClock,
  test,
  closeSheet,
} from './story.ts'

test('a newcomer makes a first selfie, saves it, and learns that the credits are used up', async ({
  page,
  see,
}) => {
  await page.clock.install()
  await openLanding(page)
  await see('landing')
  await stopClock(page)
  await page.getByRole('button', { name: "Try Now - It's Free!" }).first().click()
  await expect(page.getByRole('button', { name: 'Processing Magic...' }).first()).toBeVisible()
  await page.clock.runFor(landingRedirectDelayMs)
  await page.clock.resume()
  await expect(page).toHaveURL(/\/auth\?mode=register$/)
  await see('register')
  await page.getByLabel('Username').fill('Ada Lovelace')
  await page.getByLabel('Email').fill(`ada-${Date.now()}-${process.pid}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('secret-1')
  await page.getByLabel('Confirm password').fill('secret-1')
  await page.getByRole('button', { name: 'Create Account' }).click()

  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Welcome back, Ada Lovelace!')).toBeVisible()
  await expect(balance(page)).toHaveText('1')
  await expect(page.getByText('No selfies yet. Yours will appear here.')).toBeVisible()
  await page.getByRole('button', { name: 'Credit history' }).click()
  await expect(page.getByText('Welcome credit')).toBeVisible()
  await expect(generateButton(page)).toBeDisabled()
  await see('dashboard-empty')

  await chooseOwnPhoto(page)
  await expect(generateButton(page)).toBeDisabled()
  await pickStar(page)
  await expect(page.getByRole('button', { name: 'Elena Vassandri' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await see('dashboard-ready')

  const answer = await holdAnswers(page, '**/api/ai?action=generate*')
  await generateButton(page).click()
  await expect(page.getByRole('button', { name: 'Creating Magic...' })).toBeDisabled()
  const progress = page.getByRole('progressbar', { name: 'Generating...' })
  await expect(progress).toBeVisible()
  await expect(page.getByText(/^\d:\d\d elapsed/)).toBeVisible()
  answer()
  await expect(resultPicture(page)).toBeVisible()
  await expect(balance(page)).toHaveText('0')
  await expect(
    page.getByRole('region', { name: 'AI RESULT' }).getByText('AI', { exact: true }),
  ).toBeVisible()
  await expect(page.getByText('Made with AI.').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Selfie with Elena Vassandri/ })).toBeVisible()
  await see('dashboard-result')

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download Image' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^celebrity-selfie-\d+\.png$/)

  await page.getByRole('button', { name: 'Before / after' }).click()
  await page.getByRole('slider').fill('30')
  await see('dashboard-compare')

  await closeSheet(page)
  await generateButton(page).click()
  await expect(
    page.getByText('Insufficient credits. Please purchase credits to generate photos.'),
  ).toBeVisible()
  expect(
    await page.evaluate(() => {
      const parts = ['#packages', '#create', '.error-box', 'footer']
      const found = parts.map((part) => document.querySelector(part))
      return found.every((one, index) => {
        const before = found[index - 1]
        return !before || !one || (before.compareDocumentPosition(one) & 4) > 0
      })
    }),
    'purchase panel, generator, error box, footer, in this order of the document',
  ).toBe(true)
  await see('dashboard-insufficient')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('Insufficient credits.')).toBeHidden()
})
