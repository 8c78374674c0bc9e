import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { launchOptions } from './playwright.config.ts'
import { expect, portrait, test as story } from './story.ts'
import { eventPicture, openEvent } from './story-event.ts'

/** The browser's stand-in for a camera shows somebody's face. */
const test = story.extend<object, { cameraFile: string }>({
  cameraFile: [
    // Playwright asks for an object to take parts from.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, give) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'starside-camera-'))
      const file = path.join(folder, 'face.mjpeg')
      await sharp(portrait('face-2')).resize(1280, 960).jpeg({ quality: 95 }).toFile(file)
      await give(file)
      await rm(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ cameraFile }, give) => {
      const args = [...launchOptions.args, `--use-file-for-fake-video-capture=${cameraFile}`]
      await give({ ...launchOptions, args })
    },
    { scope: 'worker' },
  ],
})

test.use({
  viewport: { width: 1024, height: 768 },
  hasTouch: true,
  permissions: ['camera'],
})

test('at a kiosk it is three touches to a picture, and nothing of it stays behind @once', async ({
  page,
  context,
  see,
  browser,
  baseURL,
}) => {
  const event = await openEvent()
  // Nobody stands before it for long only when the story says so.
  const beganAtMs = Date.now()
  await page.clock.setFixedTime(beganAtMs)
  await page.goto(await event.linkFor('kiosk'))
  const start = page.getByRole('button', { name: 'I agree, start' })
  await expect(start).toBeVisible()
  expect(new URL(page.url()).hash).toBe('')
  expect(await page.getByRole('link').count(), 'ways out').toBe(0)
  await see('kiosk-start')
  await start.tap()
  await see('kiosk-stars')
  await page.getByText('Mina Asakuri').tap()
  const take = page.getByRole('button', { name: 'Take the picture' })
  await expect(take).toHaveAttribute('aria-disabled', 'false')
  await see('kiosk-camera')
  const handedOver = page.waitForResponse((answer) => answer.url().endsWith('/hand-over'))
  await take.tap()
  await expect(page.getByText('Scan to take it with you')).toBeVisible()
  await expect(eventPicture(page)).toBeVisible()
  await see('kiosk-picture')

  const { url } = (await (await handedOver).json()) as { url: string }
  const phones = await browser.newContext({ baseURL: baseURL ?? '' })
  const phone = await phones.newPage()
  await phone.goto(url)
  await expect(eventPicture(phone)).toBeVisible()

  await page.getByRole('button', { name: 'Take another (2 left)' }).tap()
  await expect(page.getByRole('group', { name: 'Pick your star' })).toBeVisible()
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0)

  await page.clock.setFixedTime(beganAtMs + 32_000)
  await expect(page.getByText(/^Still there\? Starting over in 8 s/)).toBeVisible()
  await page.clock.setFixedTime(beganAtMs + 40_000)
  await expect(start).toBeVisible()
  expect((await context.cookies()).filter(({ name }) => name.includes('guest'))).toEqual([])
  expect(
    await page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage)]),
  ).toEqual([['language'], []])
  await expect(eventPicture(page)).toBeHidden()
  await phone.reload()
  await expect(eventPicture(phone)).toBeVisible()
  await phones.close()

  await page.reload()
  await expect(start).toBeVisible()
  await start.tap()
  await page.goBack().catch(() => null)
  expect(new URL(page.url()).pathname).toBe(`${event.path}/kiosk`)
  await context.setOffline(true)
  await expect(page.getByText(/^No connection/)).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText(/^No connection/)).toBeHidden()
})
