import { readFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import { storageKeys } from '@starside/contract/api.ts'
import {
  chooseOwnPhoto,
  expect as expectSoon,
  generateButton,
  pickStar,
  portrait,
  resultPicture,
  test,
} from './story.ts'
import type { Page } from './story.ts'

// All pictures are made on the machine that runs the browsers too: a slow one is no fault.
test.describe.configure({ timeout: 600_000 })
const expect = expectSoon.configure({ timeout: 240_000 })

const result = (page: Page) => page.getByRole('region', { name: 'AI RESULT' })
const frames = (page: Page) =>
  result(page)
    .getByRole('group', { name: 'Versions' })
    .getByRole('button', { name: /^Version/ })

async function makeSelfie(page: Page) {
  await chooseOwnPhoto(page, portrait('face-1'))
  await pickStar(page)
  await generateButton(page).click()
  await expect(resultPicture(page)).toBeVisible()
}

test('one credit gives several variations, of which one is chosen by arrow keys', async ({
  page,
  newcomer,
  see,
}) => {
  await newcomer()
  await makeSelfie(page)
  await expect(frames(page).nth(1)).toBeVisible()
  await expect(frames(page).first()).toHaveAttribute('aria-pressed', 'true')
  await expect(result(page).getByText('You have no credits left.')).toBeVisible()
  await see('variations')
  const before = await resultPicture(page).getAttribute('src')
  await frames(page).first().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const second = result(page).getByRole('button', { name: /^Version 2/ })
  await expect(second).toHaveAttribute('aria-pressed', 'true')
  await expect(resultPicture(page)).not.toHaveAttribute('src', before ?? '')

  const shown = await frames(page).count()
  await page.getByRole('button', { name: 'More versions' }).click()
  await expect(page.getByRole('button', { name: 'More versions' })).toBeHidden()
  expect(await frames(page).count()).toBeGreaterThanOrEqual(shown)
  const all = await frames(page).count()
  await page.getByRole('button', { name: 'Delete version 1', exact: true }).click()
  await expect(frames(page)).toHaveCount(all - 1)
  await expect(frames(page).first(), 'the neighbour of what was deleted').toBeFocused()
  await result(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(frames(page)).toHaveCount(all)
})

test('a picture is adjusted by keys and by touch, and saved without a credit', async ({
  page,
  newcomer,
  see,
}) => {
  await newcomer()
  await makeSelfie(page)
  await expect(frames(page).first()).toBeVisible()
  const known = await frames(page).count()
  await page.getByRole('button', { name: 'Adjust', exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'Adjust' })
  await expect(editor.getByText('Preview ready.')).toBeVisible()
  await see('editor')
  const preview = editor.getByAltText('The picture as it would be saved')
  const first = await preview.getAttribute('src')

  await editor.getByRole('application').press('ArrowRight')
  await expect(editor.getByText(/^You: Horizontal \d+ %$/)).toHaveCount(1)
  await expect(preview).not.toHaveAttribute('src', first ?? '')
  await editor.getByRole('button', { name: 'Undo' }).click()
  await expect(preview).toHaveAttribute('src', first ?? '')
  await editor.getByRole('slider', { name: 'Size' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(preview).not.toHaveAttribute('src', first ?? '')
  await editor.getByRole('button', { name: 'Undo' }).click()
  await expect(preview).toHaveAttribute('src', first ?? '')
  await editor.getByRole('button', { name: 'Redo' }).click()
  await editor.getByRole('tab', { name: 'Position' }).press('End')
  await editor.getByText('Black and white').click()
  await expect(editor.getByRole('radio', { name: 'Black and white' })).toBeChecked()

  const box = await preview.boundingBox()
  if (box === null) throw new Error('the picture has no place')
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.4)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.42, { steps: 4 })
  await page.mouse.up()
  await expect(editor.getByText(/Preview ready|cut edge/)).toBeVisible()

  await editor.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(editor).toBeHidden()
  await expect(frames(page)).toHaveCount(known + 1)
  const saved = frames(page).last()
  await expect(saved).toHaveAttribute('aria-pressed', 'true')
  await expect(saved).toHaveAccessibleName(/adjusted/)
})

test('a version that was made by fingers or keys is downloaded clean after a purchase', async ({
  page,
  newcomer,
  isMobile,
}) => {
  await newcomer()
  await makeSelfie(page)
  await page.getByRole('button', { name: 'Adjust', exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'Adjust' })
  const size = editor.getByRole('slider', { name: 'Size' })
  await expect(editor.getByText('Preview ready.')).toBeVisible()
  const before = await size.inputValue()
  if (isMobile) await pinch(page, editor.getByAltText('The picture as it would be saved'))
  else await size.press('ArrowLeft')
  await expect(size).not.toHaveValue(before)
  await editor.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(editor).toBeHidden()
  await expect(frames(page).last()).toHaveAttribute('aria-pressed', 'true')
  await expect(frames(page).last()).toHaveAccessibleName(/adjusted/)
  const marked = await download(page)
  const markedAddress = (await resultPicture(page).getAttribute('src')) ?? ''
  await buyCredits(page)
  // As the page does by itself after a purchase; its addresses are others then.
  await page.reload()
  await expect(frames(page).last()).toBeVisible()
  await expect(resultPicture(page)).not.toHaveAttribute('src', markedAddress)
  expect((await download(page)).equals(marked), 'the brand mark is gone').toBe(false)
})

/** Two fingers on the picture's left half, which come nearer to each other. */
async function pinch(page: Page, picture: Locator): Promise<void> {
  const box = await picture.boundingBox()
  if (box === null) throw new Error('the picture has no place')
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove', apart: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: [-apart, apart].map((down, id) => ({
        x: box.x + box.width * 0.3,
        y: box.y + box.height * (0.5 + down),
        id,
      })),
    })
  await touch('touchStart', 0.3)
  for (const apart of [0.28, 0.26, 0.24]) await touch('touchMove', apart)
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

/** The bytes of the picture that the result's button saves. */
async function download(page: Page): Promise<Buffer> {
  const saved = page.waitForEvent('download')
  await result(page)
    .getByRole('button', { name: /^Download/ })
    .click()
  return await readFile(await (await saved).path())
}

/** Buys the basic package in test money and waits until the credits are there. */
async function buyCredits(page: Page): Promise<void> {
  const headers = { authorization: `Bearer ${await readToken(page)}` }
  const ordered = await page.request.post('/api/orders', {
    headers,
    data: { packageType: 'basic' },
  })
  const { data } = (await ordered.json()) as { data: { paymentUrl: string } }
  const tab = await page.context().newPage()
  await tab.goto(data.paymentUrl)
  await tab.getByRole('button', { name: 'Pay', exact: true }).click()
  await expect
    .poll(async () => {
      const answer = await page.request.get('/api/user?action=profile', { headers })
      return ((await answer.json()) as { user: { totalCreditsEverBought: number } }).user
        .totalCreditsEverBought
    })
    .toBe(100)
  await tab.close()
}

function readToken(page: Page): Promise<string | null> {
  return page.evaluate((key) => localStorage.getItem(key), storageKeys.authToken)
}

test('the parts of a picture are deleted when their owner says so', async ({ page, newcomer }) => {
  await newcomer()
  await makeSelfie(page)
  await page.getByRole('button', { name: 'Delete my cut-outs' }).click()
  await expect(page.getByRole('button', { name: 'Adjust', exact: true })).toBeHidden()
  await expect(frames(page).first()).toBeVisible()
})
