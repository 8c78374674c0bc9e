import { phoneSize } from './playwright.config.ts'
import { runCommand } from './run-command.ts'
import { boxOf, expect, test } from './story.ts'
import { eventPicture, giveGuestSelfie, joinEvent } from './story-event.ts'

// Whether somebody has signed in is asked of the server, which says no at first.
test.use({
  tolerated: /401 \(Unauthorized\) .*\/admin\)$/,
  viewport: { width: 1440, height: 900 },
  timezoneId: 'Asia/Tokyo',
})

const hourMs = 60 * 60_000
/** What a clock of that zone, nine hours ahead, shows then. */
const inHours = (hours: number): string =>
  new Date(Date.now() + (hours + 9) * hourMs).toISOString().slice(0, 16)

test('an operator makes an event, and its first guest has a picture, a print and a place on the wall @once', async ({
  page,
  browser,
  baseURL,
  see,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const url = baseURL ?? ''
  const name = `opening-${process.pid}-${Date.now().toString(36)}`
  const program = { dataFolder: process.env['STORIES_DATA'] ?? '', url }
  const printed = await runCommand(program, ['operator', 'add', name])
  await page.goto('/admin')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Password', { exact: true }).fill(printed.trim().split('\n').at(-1) ?? '')
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  await page.locator('.side').getByRole('link', { name: 'First steps', exact: true }).click()
  const help = page.locator('summary', { hasText: 'Copy the command' }).first()
  const before = await boxOf(help)
  await help.click()
  const told = await boxOf(page.locator('pre.once:visible'))
  expect(told.width, 'help is wider than a column of buttons').toBeGreaterThan(500)
  expect(await boxOf(help), 'its button stays').toEqual(before)
  await page.locator('summary', { hasText: 'How to set AI_LABEL' }).click()
  await expect(page.getByText('AI_LABEL=icon')).toBeVisible()
  await page.getByRole('link', { name: 'About AI_LABEL' }).click()
  await expect(page.locator('code:target'), 'its place in the list of settings').toBeInViewport()
  await page.locator('.side').getByRole('link', { name: 'Events', exact: true }).click()
  await page.locator('summary', { hasText: 'Make an event' }).click()
  await expect(page.getByText('Time of Asia/Tokyo.').first()).toBeVisible()
  await expect(page.getByLabel('Ends', { exact: true }), 'filled in').not.toHaveValue('')
  for (const [label, value] of [
    ['Address', name],
    ['Title', 'Grand opening'],
    ['Begins', inHours(-1)],
    ['Ends', inHours(5)],
    ['Credits in all', '30'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(value)
  }
  await page.locator('summary', { hasText: 'More (optional)' }).click()
  await page.getByLabel('Elena Vassandri', { exact: true }).check()
  await page.getByLabel('Photo 10 × 15', { exact: true }).check()
  await page.getByRole('button', { name: 'Make an event' }).click()
  await expect(page.getByRole('status')).toContainText(`Grand opening is at ${url}/e/${name}.`)
  const links: Record<string, string> = {}
  for (const role of ['moderator', 'attendant', 'wall']) {
    const row = page.getByRole('row', { name: new RegExp(`^${role}`) })
    await row.getByRole('button', { name: 'Make a link' }).click()
    links[role] = (await page.getByText(/#key=/).textContent()) ?? ''
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(links[role])
    await page.getByRole('link', { name: 'Back' }).click()
  }

  const phones = await browser.newContext({ baseURL: url })
  const guest = await phones.newPage()
  await joinEvent(guest, { path: `/e/${name}` })
  await giveGuestSelfie(guest.request, name)
  await guest.reload()
  await expect(eventPicture(guest)).toBeVisible()
  await guest.getByRole('button', { name: 'Photo 10 × 15' }).click()
  await expect(guest.getByText('Photo 10 × 15: your number is 1')).toBeVisible()
  await guest.getByRole('button', { name: 'Yes' }).click()
  await expect(guest.getByText('The team takes a look first.')).toBeVisible()
  const team = await phones.newPage()
  await team.goto(links['attendant'] ?? '')
  await expect(team.getByRole('button', { name: 'Print number 1' })).toBeVisible()
  await team.goto(links['moderator'] ?? '')
  await team.getByRole('button', { name: 'Approve' }).click()
  await expect(team.getByRole('button', { name: 'Approve', pressed: true })).toBeVisible()
  await team.goto(links['wall'] ?? '')
  await expect(team.getByRole('img', { name: "A guest's selfie, made with AI" })).toBeVisible()
  await expect(team.getByText('Made with AI.')).toBeVisible()

  await page.locator('.side').getByRole('link', { name: 'Selfies', exact: true }).click()
  const ofGuest = page.getByRole('row').filter({ hasText: 'Guest' }).first()
  await ofGuest.getByRole('link', { name: 'Selfie', exact: true }).click()
  await expect(page.getByRole('heading', { name: /^Selfie with / })).toBeVisible()
  await expect(page.getByText('Nobody has reported it.')).toBeVisible()
  await see('operator-selfie')
  await page.setViewportSize(phoneSize)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phoneSize.width)
  for (const [list, text] of [
    ['users?guests=on', 'Guest of an event'],
    ['selfies', 'Guest'],
    ['events', 'Grand opening'],
  ] as const) {
    await page.goto(`/admin/${list}`)
    const row = await boxOf(page.locator('tbody tr').filter({ hasText: text }).first())
    expect(row.height, `${list}: a row on a phone, no card`).toBeLessThanOrEqual(120)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width, list).toBe(phoneSize.width)
  }
  await page.locator('.menu > summary').click()
  await expect(
    page.locator('.menu').getByRole('link', { name: 'Your sign-in' }),
    'all of the menu on one screen',
  ).toBeInViewport({ ratio: 1 })
  await phones.close()
})
