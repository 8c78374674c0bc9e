import { readFile } from 'node:fs/promises'
import { expect, portrait, test } from './story.ts'
import { eventPicture, guestWithPicture, joinEvent, openEvent } from './story-event.ts'

test('a guest joins with a tick, makes a choice, keeps one of six pictures and takes it home @resized', async ({
  page,
  see,
}) => {
  const event = await openEvent()
  await page.goto(event.path)
  await expect(page.getByRole('heading', { name: 'Museum night' })).toBeVisible()
  await see('event-welcome')
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByRole('checkbox', { name: 'I agree' })).toBeFocused()
  await joinEvent(page, event)
  const make = page.getByRole('button', { name: 'Make my selfie' })
  await expect(make).toHaveAttribute('aria-disabled', 'true')
  await page.getByLabel('YOUR PHOTO: Upload Photo').setInputFiles(portrait('face-2'))
  await expect(page.getByText("Great photo. You're ready.")).toBeVisible()
  await page.getByRole('radio', { name: 'Henrik Solmark' }).press('Space')
  await expect(make).toHaveAttribute('aria-disabled', 'false')
  await see('event-choice')

  await event.giveSelfie(page.request)
  await page.reload()
  await expect(page.getByText('Tap the version you like best.')).toBeVisible()
  const versions = page.getByRole('group', { name: 'Versions' }).getByRole('button')
  await versions.nth(1).click()
  await expect(versions.nth(1)).toHaveAttribute('aria-pressed', 'true')
  await see('event-picture')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download Image' }).click(),
  ])
  const bytes = await readFile(await download.path())
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')

  await page.getByRole('button', { name: 'Take another (2 left)' }).click()
  await expect(make).toBeVisible()
  await page.getByRole('radio', { name: 'Selfie 1' }).press('Space')
  await expect(eventPicture(page)).toBeVisible()
})

test('a guest makes an account of it later and has the pictures there @resized', async ({
  page,
  see,
}) => {
  const event = await openEvent()
  await guestWithPicture(page, event)
  await page.getByRole('button', { name: 'Keep my selfies' }).click()
  const form = page.getByRole('dialog', { name: 'Keep your selfies' })
  await see('event-keep')
  await form.getByLabel('Username').fill('guest')
  await form.getByLabel('Email').fill(`guest-${Date.now()}@example.com`)
  await form.getByLabel('Password', { exact: true }).fill('secret-1')
  await form.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL(/\/gallery$/)
  await expect(page.getByRole('button', { name: /Elena Vassandri/ }).first()).toBeVisible()
})

test('an event that has not begun, or is over, says so in the guest’s language @resized', async ({
  page,
  see,
}) => {
  const ahead = await openEvent({ from: '2099-01-01 18:00', to: '2099-01-02 02:00' })
  await page.goto(ahead.path)
  await expect(page.getByText(/^We start on/)).toBeVisible()
  await see('event-upcoming')
  await page.getByRole('button', { name: 'Español' }).click()
  await expect(page.getByText(/^Empezamos el/)).toBeVisible()
  await page.getByRole('button', { name: 'English' }).click()
  const past = await openEvent({ from: '2020-01-01 18:00', to: '2020-01-02 02:00' })
  await page.goto(past.path)
  await expect(page.getByText(/^The event is over/)).toBeVisible()
})
