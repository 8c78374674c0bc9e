import { devices } from '@playwright/test'
import { boxOf, expect, test } from './story.ts'
import { guestWithPicture, openEvent } from './story-event.ts'

test('a picture hangs on the wall once its guest and a moderator have said yes @once', async ({
  page,
  browser,
  see,
  baseURL,
}) => {
  const event = await openEvent()
  await page.goto(await event.linkFor('wall'))
  await expect(page.getByRole('img', { name: 'Scan to join' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Stars' }).getByRole('img').first()).toBeVisible()
  await see('event-wall-empty')

  const phones = await browser.newContext({ ...devices['Pixel 7'], baseURL: baseURL ?? '' })
  const guest = await phones.newPage()
  await guestWithPicture(guest, event)
  await guest.getByRole('group', { name: 'Show it on the wall?' }).getByText('Yes').click()
  await expect(guest.getByText('The team takes a look first.')).toBeVisible()

  const moderator = await phones.newPage()
  await moderator.goto(await event.linkFor('moderator'))
  const approve = moderator.getByRole('button', { name: 'Approve' })
  await approve.click()
  await expect(approve).toHaveAttribute('aria-pressed', 'true')
  await see('event-moderation', moderator)
  await moderator.getByRole('button', { name: 'Decide later' }).click()
  await expect(approve).toHaveAttribute('aria-pressed', 'false')
  await approve.click()
  await expect(approve).toHaveAttribute('aria-pressed', 'true')

  const hanging = page.getByRole('img', { name: "A guest's selfie, made with AI" })
  await expect(hanging).toBeVisible()
  const { height } = await boxOf(hanging)
  expect(height, 'the whole picture hangs there').toBe(page.viewportSize()?.height)
  await see('event-wall')
  await page.context().setOffline(true)
  await expect(page.getByText(/^No connection/)).toBeVisible()
  await expect(hanging).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByText(/^No connection/)).toBeHidden()

  await moderator.reload()
  await moderator.getByRole('button', { name: 'Hide' }).click()
  await expect(hanging).toBeHidden()
  await phones.close()
})
