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

/** The calls below `/api` that the page sends from now on, without the host. */
function listenToCalls(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    // Pictures are no calls: they come by addresses of their own, each once.
    if (pathname.startsWith('/api/') && request.resourceType() !== 'image') {
      calls.push(`${request.method()} ${pathname.slice('/api'.length)}${search}`)
    }
  })
  return calls
}

const wholeDashboard = [
  'GET /ai?action=presets',
  'GET /generations',
  'GET /orders',
  'GET /people',
  'GET /user?action=profile',
]

test('the dashboard is usable one round trip after the profile, and asks nothing twice @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  // A line so slow that no answer but the profile comes before everything was asked for.
  const answerAll = await holdAnswers(
    page,
    ({ pathname, search }) => pathname.startsWith('/api/') && !search.includes('action=profile'),
  )
  const calls = listenToCalls(page)
  await page.reload()
  await expect(balance(page)).toHaveText('1')
  await expect.poll(() => calls.toSorted()).toEqual(wholeDashboard)
  answerAll()
  await expect(page.getByRole('button', { name: 'Elena Vassandri' })).toBeVisible()
  await expect(page.getByText('No selfies yet.')).toBeVisible()
  await unfoldPackages(page)
  await expect(page.getByText('Test money').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(calls.toSorted(), 'and nothing was asked for after it').toEqual(wholeDashboard)
  await page.getByRole('button', { name: 'Credit history' }).click()
  await expect(page.getByText('Welcome credit')).toBeVisible()
  expect(calls.slice(wholeDashboard.length)).toEqual(['GET /user?action=credit-history'])
})

test('an open order is asked about while somebody looks, and not while nobody does @once', async ({
  page,
  newcomer,
}) => {
  await page.clock.install()
  await newcomer()
  await unfoldPackages(page)
  const opened = page.context().waitForEvent('page')
  await page.getByRole('button', { name: 'Purchase $10' }).click()
  await (await opened).close()
  await expect(page.getByText('Payment Pending')).toBeVisible()
  const checked = page.waitForResponse('**/api/orders/status**')
  await stopClock(page)
  await checked
  const calls = listenToCalls(page)
  // By the second, because the interval begins with the answer, whenever that arrives.
  const waitForChecks = (count: number) =>
    expect(async () => {
      await page.clock.runFor(1_000)
      expect(calls).toHaveLength(count)
    }).toPass({ intervals: [100] })
  for (const checks of [1, 2, 3]) await waitForChecks(checks)
  expect(calls.every((call) => call.startsWith('GET /orders/status?'))).toBe(true)
  await setHidden(page, true)
  await page.clock.runFor(6 * statusPollIntervalMs)
  expect(calls, 'a minute in which nobody looked').toHaveLength(3)
  await setHidden(page, false)
  await waitForChecks(4)
})

/** Says to the page that it is out of sight or back; a headless browser always shows its tabs. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}
