import { shareNoticeMs } from '@starside/contract/limits.ts'
import { expect, ownerOfSelfie, stopClock, test } from './story.ts'

test.use({ tolerated: /ERR_INTERNET_DISCONNECTED|ERR_NAME_NOT_RESOLVED/ })

test('sharing on X opens its window with text and referral link, or copies the text when that is blocked @windows', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  await ownerOfSelfie(page)
  await stopClock(page)
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
  await page.clock.runFor(shareNoticeMs)
  await expect(page.getByText('X share window opened!')).toBeHidden()

  // A press of the visitor's is good for one window: where it is used up, the browser blocks.
  const devtools = await context.newCDPSession(page)
  const shareUnasked = () =>
    devtools.send('Runtime.evaluate', {
      expression: `
        for (let spent = false; !spent; ) {
          const other = window.open('', '_blank')
          spent = other === null
          other?.close()
        }
        [...document.querySelectorAll('button')]
          .find(({ textContent }) => textContent === 'Share on X')
          .click()`,
      userGesture: false,
    })
  await shareUnasked()
  await expect(page.getByText('Tweet text copied to clipboard! Please paste it on X')).toBeVisible()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text).toMatch(/Elena Vassandri.*\/\?ref=[A-Z0-9]{8} #Starside #CelebritySelfie #AI$/)

  await context.clearPermissions()
  await context.grantPermissions([])
  await shareUnasked()
  await expect(page.getByText('Failed to share on X. Please try again.')).toBeVisible()

  await context.setOffline(true)
  await page.getByRole('button', { name: 'Download Image' }).click()
  await expect(page.getByText('Failed to download image. Please try again.')).toBeVisible()
})

test('where the clipboard is closed, the referral link is shown in an alert @resized', async ({
  page,
  see,
  newcomer,
}) => {
  await newcomer()
  // Granting nothing denies everything.
  await page.context().grantPermissions([])
  await page.getByRole('button', { name: 'Share Link' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('/?ref=')
  await see('referral-alert')
  await page.getByRole('button', { name: 'OK', exact: true }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
})
