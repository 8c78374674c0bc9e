import type { Locator, Response } from '@playwright/test'
import { statusPollIntervalMs } from '@starside/contract/limits.ts'
import {
  balance,
  expect,
  holdAnswers,
  type Page,
  stopClock,
  test,
  unfoldPackages,
} from './story.ts'

test.use({ tolerated: /ERR_INTERNET_DISCONNECTED|status of [45]\d\d/ })

const modal = (page: Page) => page.getByRole('dialog')

/** `#0e6b4f` as browsers compute it: `rgb(14, 107, 79)`. */
function rgbOf(hex: string): string {
  const parts = hex.match(/[0-9a-f]{2}/gi) ?? []
  return `rgb(${parts.map((part) => Number.parseInt(part, 16)).join(', ')})`
}

/** Lets the page's next checks of its order come at once, until one of them shows something. */
async function nextChecks(page: Page, shown: Locator): Promise<void> {
  const isStatus = (answer: Response) => new URL(answer.url()).pathname === '/api/orders/status'
  await expect(async () => {
    if (await shown.isVisible()) return
    // The clock goes on only after an answer: good news stand for two seconds of it.
    const answered = page.waitForResponse(isStatus, { timeout: 60_000 })
    await page.clock.fastForward(statusPollIntervalMs)
    await answered
    await expect(shown).toBeVisible({ timeout: 5_000 })
  }).toPass()
}

/** Presses a purchase button and gives the payment page that opens in a new tab. */
async function purchase(page: Page, name: string): Promise<Page> {
  await unfoldPackages(page)
  const opened = page.context().waitForEvent('page')
  await page.getByRole('button', { name }).click()
  return await opened
}

test('a purchase in test money makes a free user premium @resized', async ({
  page,
  see,
  newcomer,
}) => {
  await page.clock.install()
  await newcomer()
  await expect(page.getByText('Free User')).toBeVisible()
  await expect(page.getByText('All photos include watermark')).toBeVisible()
  await unfoldPackages(page)
  await expect(page.getByText('Most Popular')).toBeVisible()
  for (const price of ['$0.100', '$0.099']) {
    await expect(page.getByText(`${price} per credit`)).toBeVisible()
  }
  const tab = await purchase(page, 'Purchase $10')
  await expect(modal(page).getByText('Payment Pending')).toBeVisible()
  await expect(modal(page).getByText(/^(30:00|29:\d\d)$/)).toBeVisible()
  await modal(page).getByText('Details', { exact: true }).click()
  await expect(modal(page).getByText(/^order_[a-z0-9]+_[a-z0-9]{6}$/)).toBeVisible()
  await expect(modal(page).getByText('Test money')).toBeVisible()
  await see('payment-pending')
  expect(await page.evaluate(() => localStorage.getItem('payment_orders'))).toContain('order_')

  // From here on the page learns of the payment, and reloads, when the story lets it.
  await stopClock(page)
  await tab.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.bringToFront()
  const alert = page.getByRole('alertdialog', {
    name: "Payment successful! You've been upgraded to Premium with 100 credits.",
  })
  const orderId =
    (await modal(page)
      .getByText(/^order_/)
      .textContent()) ?? ''
  await page.evaluate(() => {
    document.body.setAttribute('data-before-reload', '')
    addEventListener('privileges-activated', () => {
      sessionStorage.setItem('activated', 'yes')
      document.body.setAttribute('data-activated', '')
    })
  })
  await nextChecks(page, page.locator('body[data-activated]'))
  await expect(modal(page).getByText('Payment Received')).toBeVisible()
  await expect(modal(page).getByText('Payment Successful!'), 'told once, by the alert').toHaveCount(
    0,
  )
  await expect(page.getByText('Free User'), 'with its credits').toBeVisible()
  await page.clock.runFor(2_000)
  await page.clock.resume()
  await expect(page.locator('body[data-before-reload]'), 'the page reloads').toHaveCount(0)
  await expect(alert, 'and says what was bought').toBeVisible()
  await expect(modal(page), 'alone').toHaveCount(0)
  await see('payment-alert')
  // The screenshot has switched between the themes, and colours follow with a transition.
  await expect
    .poll(async () => {
      const [bar, green] = await alert.evaluate((box) => [
        getComputedStyle(box.firstElementChild ?? box).borderTopColor,
        getComputedStyle(box).getPropertyValue('--green').trim(),
      ])
      return bar === rgbOf(green ?? '')
    }, 'the bar of good news is green')
    .toBe(true)
  await expect(alert.getByText('Basic: 100 credits added')).toBeVisible()
  await expect(alert.getByText('Watermark removed')).toBeVisible()
  await alert.getByRole('button', { name: 'Start Using Premium' }).click()
  await expect(alert).toBeHidden()
  await page.reload()
  await expect(page.getByText('Premium User')).toBeVisible()
  await expect(alert, 'it is reported once').toBeHidden()
  await expect(page.getByText('Watermark-Free Photos Enabled')).toBeVisible()
  await unfoldPackages(page)
  await expect(page.getByText('Current Plan')).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('activated'))).toBe('yes')
  for (const benefit of ['Premium generation quality', '100 credits included']) {
    await expect(page.getByText(benefit)).toBeVisible()
  }
  await expect(page.getByRole('button', { name: 'Purchase $19.90' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Purchase $10' })).toBeEnabled()
  await expect(balance(page)).toHaveText('101')
  await see('dashboard-premium')

  await page.goto(`/dashboard?order=${orderId}`)
  await expect(modal(page).getByText('Your Premium upgrade is now active!')).toBeVisible()
  await see('payment-completed')
  await modal(page).getByRole('button', { name: 'Start Using Premium' }).click()
  await expect(modal(page)).toBeHidden()
})

test('a payment is followed from the gateway through processing to its failure @resized', async ({
  page,
  see,
  newcomer,
}) => {
  await page.clock.install()
  await newcomer()
  // A slow line: the first answer about the order takes its time.
  const answer = await holdAnswers(page, '**/api/orders/status**')
  const tab = await purchase(page, 'Purchase $10')
  await expect(modal(page).getByText('Payment Initiated')).toBeVisible()
  await expect(modal(page).getByText('Redirecting to payment gateway...')).toBeVisible()
  answer()
  await expect(modal(page).getByText('Waiting for payment confirmation...')).toBeVisible()
  const link = modal(page).getByRole('link', { name: 'Continue Payment' })
  const address = new URL((await link.getAttribute('href')) ?? '')
  expect(address.searchParams.get('source')).toBe('button')
  const control = new URL(`../control/invoices/${address.searchParams.get('iid')}`, address).href
  await tab.close()
  await page.request.post(control, {
    data: { action: 'pay', stopAt: 'confirming', stepDelayMs: 0 },
  })
  await nextChecks(page, modal(page).getByText('Your payment is being processed...'))
  await expect(modal(page).getByText('Processing Payment')).toBeVisible()
  await expect(modal(page).getByText('You can close this page.'), 'as it is paid').toBeVisible()
  await see('payment-processing')
  await page.request.post(control, { data: { action: 'fail', stepDelayMs: 0 } })
  await nextChecks(page, modal(page).getByText('Your payment could not be processed.'))
  await expect(modal(page).getByText('Payment Failed')).toBeVisible()
  await expect(modal(page).getByText(/quote order_/)).toBeVisible()
  await modal(page).getByRole('button', { name: 'Close' }).click()
  await expect(modal(page)).toBeHidden()
})

test('an order can be hidden, found again, and cancelled @resized', async ({
  page,
  see,
  newcomer,
}) => {
  await newcomer()
  const tab = await purchase(page, 'Purchase $19.90')
  const pay = tab.getByRole('button', { name: 'Pay', exact: true })
  await expect(pay).toBeEnabled()
  await page.bringToFront()
  await modal(page).getByRole('button', { name: 'Hide for now' }).click()
  await expect(
    page.getByText('Waiting for your payment: 200 credits for $19.90. 30 min left.'),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'Pay now' })).toHaveAttribute('href', /iid=/)
  await page.getByRole('button', { name: 'Details' }).click()
  await expect(modal(page).getByRole('link', { name: 'Continue Payment' })).toHaveAttribute(
    'href',
    /iid=/,
  )
  await modal(page).getByRole('button', { name: 'Cancel this order' }).click()
  const told = modal(page).getByRole('status').filter({ hasText: 'Payment Cancelled' })
  await expect(told).toContainText('Payment was cancelled by user.')
  await expect(told).toContainText('Nothing was charged')
  const close = modal(page).getByRole('button', { name: 'Close' })
  await expect(close, 'the focus is not lost').toBeFocused()
  await see('payment-cancelled')
  await close.click()
  await expect(modal(page)).toBeHidden()
  // The page then loads anew, which may take this answer away.
  await tab
    .evaluate(() => void document.dispatchEvent(new Event('visibilitychange')))
    .catch(() => undefined)
  await expect(tab.getByRole('heading', { name: 'This order was cancelled' })).toBeVisible()
  await expect(pay, 'who comes back to its page pays nothing').toBeDisabled()
})

test('a part of a payment is told of when its buyer comes back, who then cancels nothing any more @resized', async ({
  page,
  see,
  newcomer,
}) => {
  await newcomer()
  const tab = await purchase(page, 'Purchase $10')
  await expect(modal(page).getByText('Payment Pending')).toBeVisible()
  await tab.getByRole('button', { name: 'Pay a part' }).click()
  await expect(tab.getByText('The deposit was smaller than the price.')).toBeVisible()
  await page.bringToFront()
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(modal(page).getByText('Waiting for the Rest')).toBeVisible()
  await expect(modal(page).getByRole('button', { name: 'Cancel this order' })).toHaveCount(0)
  await see('payment-part')
  // Who presses a package now is asked for the rest first.
  await modal(page).getByRole('button', { name: 'Hide for now' }).click()
  await unfoldPackages(page)
  await page.getByRole('button', { name: 'Purchase $19.90' }).click()
  await expect(modal(page).getByRole('link', { name: 'Pay the rest' })).toBeVisible()
  await expect(modal(page).getByText(/^6 of 10 USDC .* 4 are missing\.$/)).toBeVisible()
  await see('payment-rest-first')
  const opened = page.context().waitForEvent('page')
  await modal(page).getByRole('button', { name: 'Start another order' }).click()
  await opened
  await expect(modal(page).getByText('$19.90')).toBeVisible()
  await expect(modal(page).getByRole('button', { name: 'Start another order' })).toHaveCount(0)
})

test('after a payment that was cancelled another order of the same package is a press away @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  const tab = await purchase(page, 'Purchase $10')
  await tab.close()
  await modal(page).getByRole('button', { name: 'Cancel this order' }).click()
  await expect(modal(page).getByText('Payment Cancelled')).toBeVisible()
  await modal(page).getByRole('button', { name: 'Try Again' }).click()
  await expect(modal(page).getByText(/Payment (?:Initiated|Pending)/)).toBeVisible()
  await expect(modal(page).getByText('$10')).toBeVisible()
  const pay = modal(page).getByRole('link', { name: 'Continue Payment' })
  await expect(pay).toHaveAttribute('href', /iid=/)
  await page.reload()
  await expect(page.getByText(/^Waiting for your payment: 100 credits/)).toHaveCount(1)
  await expect(modal(page), 'no third one').toHaveCount(0)
})

test('a status that nobody knows is reported, and the order is watched on @resized', async ({
  page,
  see,
  newcomer,
}) => {
  await page.clock.install()
  await newcomer()
  let status = 'on_hold'
  await page.route('**/api/orders/status**', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, status } } })
  })
  const tab = await purchase(page, 'Purchase $10')
  await tab.close()
  await nextChecks(page, modal(page).getByText('Unknown Status'))
  await expect(modal(page).getByText('Please check your payment status.')).toBeVisible()
  await see('payment-unknown')
  status = 'processing'
  await nextChecks(page, modal(page).getByText('Processing Payment'))
})

test('the window of a payment closes after half an hour @resized', async ({
  page,
  see,
  newcomer,
}) => {
  await page.clock.install()
  await newcomer()
  const tab = await purchase(page, 'Purchase $10')
  await tab.close()
  await page.clock.runFor(12_000)
  await expect(modal(page).getByText('Payment Pending')).toBeVisible()
  await expect(modal(page).getByText('Pay on the payment page.')).toBeVisible()
  await page.clock.fastForward('30:00')
  await expect(modal(page).getByText('Payment Expired')).toBeVisible()
  await expect(modal(page).getByText('Payment window has expired.')).toBeVisible()
  await expect(modal(page).getByText('Paid late? You still get your credits.')).toBeVisible()
  await see('payment-expired')
})

test('a purchase that cannot start says so in an alert, and an unknown order is not found @resized', async ({
  page,
  see,
  newcomer,
}) => {
  await newcomer()
  await unfoldPackages(page)
  const button = page.getByRole('button', { name: 'Purchase $10' })
  await expect(button).toBeVisible()
  await page.context().setOffline(true)
  await button.click()
  await expect(
    page.getByRole('alertdialog', { name: 'Failed to start payment process. Please try again.' }),
  ).toBeVisible()
  await see('purchase-alert')
  await page.context().setOffline(false)
  await page.goto('/dashboard?order=order_none_000000')
  await expect(modal(page).getByText('Order not found')).toBeVisible()
  await see('order-not-found')
})
