import { expect, makeSelfie, test } from './story.ts'

test.use({ tolerated: /ERR_FAILED|ERR_NAME_NOT_RESOLVED/ })

test('sharing on X opens its window with text and referral link, or copies the text when that is blocked @once', async ({
  page,
  context,
  newcomer,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await newcomer()
  await makeSelfie(page)
  const share = page.getByRole('button', { name: 'Share on X' })

  const opened = context.waitForEvent('page')
  const asked = context.waitForEvent('request', (request) =>
    request.url().startsWith('https://x.com/intent/tweet'),
  )
  await share.click()
  const popup = await opened
  expect(new URL((await asked).url()).searchParams.get('url')).toMatch(/\/\?ref=[A-Z0-9]{8}$/)
  await expect(
    page.getByText('X share window opened! Your referral link is included.'),
  ).toBeVisible()
  await popup.close()
  await expect(page.getByText('X share window opened!')).toBeHidden()

  await page.evaluate(() => {
    window.open = () => null
  })
  await share.click()
  await expect(page.getByText('Tweet text copied to clipboard! Please paste it on X')).toBeVisible()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text).toMatch(/Zuvia.*\/\?ref=[A-Z0-9]{8}/)

  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))
  })
  await share.click()
  await expect(page.getByText('Failed to share on X. Please try again.')).toBeVisible()

  await page.route(/picture|download/, (route) => route.abort())
  await page.getByRole('button', { name: 'Download Image' }).click()
  await expect(page.getByText('Failed to download image. Please try again.')).toBeVisible()
})

test('where the clipboard is closed, the referral link is shown in an alert', async ({
  page,
  see,
  newcomer,
}) => {
  await newcomer()
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))
  })
  await page.getByRole('button', { name: 'Share Link' }).click()
  await expect(page.getByRole('alertdialog', { name: /\/\?ref=/ })).toBeVisible()
  await see('referral-alert')
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
})
