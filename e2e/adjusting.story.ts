import { readFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import { storageKeys } from '@starside/contract/api.ts'
import {
  boxOf,
  chooseOwnPhoto,
  expect,
  fixture,
  generateButton,
  holdAnswers,
  ownerOfSelfie,
  pickStar,
  portrait,
  resultPicture,
  test,
  unfoldMore,
} from './story.ts'
import { phoneSize } from './playwright.config.ts'
import type { Page } from './story.ts'

const result = (page: Page) => page.getByRole('region', { name: 'AI RESULT' })
const frames = (page: Page) =>
  result(page)
    .getByRole('group', { name: 'Versions' })
    .getByRole('button', { name: /^Version/ })

/** Once the parts of the picture have come and are drawn: until then touches are the page's. */
async function expectOpened(editor: Locator): Promise<void> {
  await expect(editor.getByRole('tab', { name: 'People' })).toBeFocused()
  await editor.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  )
}

const previewOf = (editor: Locator) => editor.getByAltText('The picture as it would be saved')
/** Once the picture that follows the small one at rest is there. */
const expectSharp = (editor: Locator) =>
  expect
    .poll(() =>
      previewOf(editor).evaluate((image: HTMLImageElement) =>
        Math.max(image.naturalWidth, image.naturalHeight),
      ),
    )
    .toBe(1280)
/** In the order of the screen: what is changed, and what is done with all of it. */
const toolsOf = (editor: Locator) => [
  editor.locator('[role=tablist]'),
  editor.locator('input[type=range]').first(),
  editor.locator('button', { hasText: 'Flip' }),
  editor.locator('button', { hasText: 'Undo' }),
  saveButton(editor),
]
const saveButton = (editor: Locator) => editor.getByRole('button', { name: 'Save', exact: true })

test('one credit gives several variations, of which one is chosen by arrow keys @resized', async ({
  page,
  newcomer,
  see,
}) => {
  await newcomer()
  await chooseOwnPhoto(page, portrait('face-1'))
  await pickStar(page)
  await generateButton(page).click()
  await expect(resultPicture(page)).toBeVisible()
  await expect(frames(page).nth(1)).toBeVisible()
  await expect(frames(page).first()).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText('You have no credits left.')).toBeVisible()
  await see('variations')
  const before = await resultPicture(page).getAttribute('src')
  await frames(page).first().focus()
  await page.keyboard.press('ArrowRight')
  const second = result(page).getByRole('button', { name: /^Version 2/ })
  await expect(second).toHaveAttribute('aria-pressed', 'true')
  await expect(second).toBeFocused()
  await expect(resultPicture(page)).not.toHaveAttribute('src', before ?? '')
  await expect(resultPicture(page), 'the picture stays in view').toBeInViewport({ ratio: 0.9 })

  const shown = await frames(page).count()
  const make = await holdAnswers(page, '**/variations/more')
  await page.getByRole('button', { name: 'Get more versions' }).click()
  await expect(page.getByRole('button', { name: 'Making more versions…' })).toBeVisible()
  make()
  await expect(page.getByRole('button', { name: 'Get more versions' })).toBeHidden()
  await expect(page.getByText(/more versions? (?:is|are) here\.|good enough\./)).toBeVisible()
  await unfoldMore(page)
  expect(await frames(page).count()).toBeGreaterThanOrEqual(shown)
  const all = await frames(page).count()
  // A picture that is still on its way when it is deleted is not found.
  const isLoaded = (image: HTMLImageElement) => image.naturalWidth > 0
  for (const image of await frames(page).locator('img').all()) {
    await expect.poll(() => image.evaluate(isLoaded)).toBe(true)
  }
  await page.getByRole('button', { name: 'Delete this version' }).click()
  await expect(frames(page)).toHaveCount(all - 1)
  await expect(frames(page).nth(1), 'its neighbour stands there').toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await page.getByRole('button', { name: 'Delete this version' }).click()
  await expect(frames(page)).toHaveCount(all - 2)
  await result(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(frames(page), 'all that was deleted').toHaveCount(all)
  await expect(frames(page).nth(2), 'the last of it').toBeFocused()
  await expect(frames(page).nth(2)).toHaveAttribute('aria-pressed', 'true')
})

/** Who is chosen is framed down to the foot of the picture; where they go over its edge, the frame ends there, with whole handles. */
async function expectBodyFramed(editor: Locator): Promise<void> {
  const frame = editor.locator('.selected-frame')
  const endsOf = async (element: Locator) => {
    const { x, y, width, height } = await boxOf(element)
    return { right: x + width, foot: y + height }
  }
  const picture = await endsOf(editor.getByRole('application'))
  const { foot } = await endsOf(frame)
  expect(picture.foot - foot, 'the body too').toBeLessThan(12)
  await editor.getByRole('slider', { name: 'Move sideways' }).press('End')
  const { right } = await endsOf(frame)
  expect(right + 7, 'the handles are within the picture').toBeLessThanOrEqual(picture.right)
  expect(right).toBeGreaterThan(picture.right - 12)
}

test('a picture is adjusted by keys and by touch, and saved without a credit', async ({
  page,
  isMobile,
  see,
}) => {
  await ownerOfSelfie(page)
  await expect(frames(page).first()).toBeVisible()
  const known = await frames(page).count()
  const address = (await resultPicture(page).getAttribute('src')) ?? ''
  const showParts = await holdAnswers(page, '**/preview')
  await unfoldMore(result(page))
  await page.getByRole('button', { name: 'Adjust', exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'Adjust' })
  await expect(editor.getByText('Opening the picture…')).toBeVisible()
  const finished = editor.locator('img')
  await expect(finished).toHaveAttribute('src', address)
  await see('editor-opening')
  const stood = await boxOf(finished)
  const tools = await Promise.all(toolsOf(editor).map(boxOf))
  showParts()
  await expectOpened(editor)
  expect(await boxOf(finished), 'the picture stays where it is').toEqual(stood)
  expect(await Promise.all(toolsOf(editor).map(boxOf)), 'the tools stay where they are').toEqual(
    tools,
  )
  await see('editor')
  const preview = previewOf(editor)
  await expectSharp(editor)
  const first = await preview.getAttribute('src')

  // Beside the user's head, and within the box about all of them: the star's own shoulder.
  const stage = await boxOf(editor.getByRole('application'))
  const who = editor.getByRole('group', { name: 'Person' })
  await page.mouse.click(stage.x + stage.width * 0.25, stage.y + stage.height * 0.85)
  await expect(who.getByRole('button', { name: 'Elena Vassandri' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await page.mouse.click(stage.x + stage.width * 0.45, stage.y + stage.height * 0.9)
  await expect(who.getByRole('button', { name: 'You' })).toHaveAttribute('aria-pressed', 'true')
  await editor.getByRole('application').press('ArrowRight')
  await expect(editor.getByText(/^You: Move sideways \d+ %$/)).toHaveCount(1)
  await expect(preview).not.toHaveAttribute('src', first ?? '')
  await editor.getByRole('button', { name: 'Undo' }).click()
  await expect(preview).toHaveAttribute('src', first ?? '')
  await expectBodyFramed(editor)
  await editor.getByRole('button', { name: 'Undo' }).click()
  await expect(preview).toHaveAttribute('src', first ?? '')
  const size = editor.getByRole('slider', { name: 'Size' })
  const sizeBefore = await size.inputValue()
  const corner = await boxOf(editor.locator('[data-corner]').first())
  expect(Math.min(corner.width, corner.height)).toBeGreaterThanOrEqual(24)
  await page.mouse.move(corner.x + corner.width / 2, corner.y + corner.height / 2)
  await page.mouse.down()
  await page.mouse.move(corner.x, corner.y, { steps: 4 })
  await page.mouse.up()
  expect(Number(await size.inputValue())).toBeGreaterThan(Number(sizeBefore))
  await editor.getByRole('button', { name: 'Undo' }).click()
  await expect(size).toHaveValue(sizeBefore)
  await expect(preview).toHaveAttribute('src', first ?? '')
  await size.focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(size).toBeFocused()
  const row = editor.getByText('Size', { exact: true }).locator('xpath=../..')
  await expect(size, 'what has the focus is framed with its name').toHaveCSS(
    'outline-style',
    'none',
  )
  await expect(row).toHaveCSS('outline-style', 'solid')
  await page.keyboard.press('ArrowLeft')
  await expect(preview).not.toHaveAttribute('src', first ?? '')
  await editor.getByRole('button', { name: 'Undo' }).click()
  await expect(preview).toHaveAttribute('src', first ?? '')
  await editor.getByRole('button', { name: 'Redo' }).click()
  await editor.getByRole('tab', { name: 'People' }).press('End')
  await page.keyboard.press('ArrowLeft')
  await editor.getByText('Black and white').click()
  await expect(editor.getByRole('radio', { name: 'Black and white' })).toBeChecked()

  const box = await boxOf(preview)
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.4)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.42, { steps: 4 })
  await page.mouse.up()
  await saveButton(editor).click()
  await expect(editor).toBeHidden()
  await expect(frames(page)).toHaveCount(known + 1)
  const saved = frames(page).last()
  await expect(saved).toHaveAttribute('aria-pressed', 'true')
  await expect(saved).toHaveAccessibleName(/adjusted/)
  await expect(saved, 'it goes on there').toBeFocused()
  await expect(saved, 'in view, though more is unfolded below').toBeInViewport()
  await expect(resultPicture(page)).toBeInViewport({ ratio: 0.9 })
  // Where least room is left beside the picture.
  if (!isMobile) await page.setViewportSize({ width: 1280, height: 1000 })
  const ends = [page.getByRole('button', { name: 'Get more versions' }), result(page)].map((part) =>
    part.evaluate((element) => element.getBoundingClientRect().right),
  )
  const [button, panel] = await Promise.all(ends)
  expect(button, 'a long name makes nothing wider').toBeLessThanOrEqual(panel ?? 0)
})

test('what is drawn while people are moved is what is saved @once', async ({ page }) => {
  await ownerOfSelfie(page)
  // The wishes are led to once; who saves is led to the picture.
  await page.getByRole('button', { name: 'Scene, format, look' }).press('Enter')
  await page.getByRole('button', { name: 'Adjust', exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'Adjust' })
  await expectOpened(editor)
  await editor.getByRole('tab', { name: 'Scene' }).click()
  const showScene = await holdAnswers(page, '**/preview')
  await editor.getByText('City at night').click()
  await expect(saveButton(editor)).toBeDisabled()
  showScene()
  await expect(saveButton(editor)).toBeEnabled()

  await editor.getByRole('tab', { name: 'People' }).click()
  const box = await boxOf(editor.getByRole('application'))
  const [{ x, y }] = await placesOf(editor, 1)
  // What is drawn here stands until the server's picture comes.
  const showMoved = await holdAnswers(page, '**/preview')
  await page.mouse.move(box.x + box.width * x, box.y + box.height * y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * (x - 0.06), box.y + box.height * (y + 0.04), {
    steps: 4,
  })
  const parts = editor.locator('canvas')
  await expect(parts).toBeVisible()
  await page.mouse.up()
  await expect(parts, 'nobody jumps back').toBeVisible()
  await editor.getByRole('group', { name: 'Person' }).getByRole('button').last().click()
  await editor.getByRole('button', { name: 'Flip' }).click()
  for (const [slider, key] of [
    ['Rotate', 'ArrowRight'],
    ['Size', 'ArrowLeft'],
  ] as const) {
    for (let n = 0; n < 4; n += 1) await editor.getByRole('slider', { name: slider }).press(key)
  }
  const places = await placesOf(editor, 2)
  const drawn = await parts.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  showMoved()
  await expect(parts).toBeHidden()
  await saveButton(editor).click()
  await expect(editor).toBeHidden()

  await expect(frames(page).last()).toHaveAccessibleName(/adjusted/)
  await expect(resultPicture(page)).toBeInViewport({ ratio: 0.9 })
  const saved = (await resultPicture(page).getAttribute('src')) ?? ''
  for (const place of places) {
    const { shift, difference } = await comparePictures(page, { drawn, saved, place })
    expect(Math.hypot(...shift), 'pixels of 512 that a head stands elsewhere').toBeLessThan(3)
    expect(difference, 'levels of 255, light and place').toBeLessThan(20)
  }
})

test('who stays together is framed and flipped as a whole, and saved as it is drawn @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await page.getByLabel('PERSON 1: Upload Photo').setInputFiles(fixture('two-people.jpg'))
  await page.getByRole('button', { name: 'Include everyone' }).click()
  await pickStar(page)
  await generateButton(page).click()
  await page.getByRole('button', { name: 'Adjust', exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'Adjust' })
  await expect(editor.getByRole('button', { name: 'Your group' })).toBeVisible()
  const frame = editor.locator('.selected-frame')
  const before = await boxOf(frame)
  const [{ x, size }] = await placesOf(editor, 1)
  await editor.getByRole('button', { name: 'Your group' }).click()
  const showFlipped = await holdAnswers(page, '**/preview')
  await editor.getByRole('button', { name: 'Flip' }).click()
  const [place] = await placesOf(editor, 1)
  expect(Math.abs(place.x - x), 'the first has changed places').toBeGreaterThan(size / 2)
  const after = await boxOf(frame)
  const middles = [before, after].map((box) => box.x + box.width / 2)
  expect(Math.abs(middles[1]! - middles[0]!), 'with the other').toBeLessThan(0.05 * before.width)
  const parts = editor.locator('canvas')
  await expect(parts).toBeVisible()
  const drawn = await parts.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  showFlipped()
  await expect(parts).toBeHidden()
  await saveButton(editor).click()
  // On this side a cut of the photo shows.
  const question = editor.getByRole('alertdialog', { name: /Save it anyway\?$/ })
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused()
  await editor.getByRole('button', { name: 'Save anyway' }).click()
  await expect(editor).toBeHidden()
  await expect(frames(page).last()).toHaveAccessibleName(/adjusted/)
  const saved = (await resultPicture(page).getAttribute('src')) ?? ''
  for (const head of [place, { ...place, x }]) {
    const { shift, difference } = await comparePictures(page, { drawn, saved, place: head })
    expect(Math.hypot(...shift), 'pixels of 512 that a head stands elsewhere').toBeLessThan(3)
    expect(difference, 'levels of 255').toBeLessThan(20)
  }
})

interface Place {
  x: number
  y: number
  size: number
}

/** Where the first people of the picture stand, as their sliders tell it. */
async function placesOf(editor: Locator, count: number): Promise<[Place, ...Place[]]> {
  const buttons = editor.getByRole('group', { name: 'Person' }).getByRole('button')
  const value = async (name: string): Promise<number> =>
    Number(await editor.getByRole('slider', { name }).inputValue())
  const places: Place[] = []
  for (let n = 0; n < count; n += 1) {
    await buttons.nth(n).click()
    places.push({
      x: await value('Move sideways'),
      y: await value('Move up or down'),
      size: await value('Size'),
    })
  }
  return places as [Place, ...Place[]]
}

/** The size at which pictures are compared. */
const [width, height] = [410, 512]

/** The green of a picture, whose address the page can read, row by row. */
async function readGreen(page: Page, address: string): Promise<Buffer> {
  const read = async (picture: { address: string; width: number; height: number }) => {
    const image = new Image()
    image.src = picture.address
    await image.decode()
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!
    context.drawImage(image, 0, 0, picture.width, picture.height)
    const { data } = context.getImageData(0, 0, picture.width, picture.height)
    let green = ''
    for (let at = 1; at < data.length; at += 4) green += String.fromCharCode(data[at]!)
    return btoa(green)
  }
  return Buffer.from(await page.evaluate(read, { address, width, height }), 'base64')
}

/** By how much a head stands elsewhere in one picture than in the other, and how far both differ about it. */
async function comparePictures(
  page: Page,
  pictures: { drawn: string; saved: string; place: Place },
) {
  const { x, y, size } = pictures.place
  const reach = 14
  const [drawn, saved] = [
    await readGreen(page, pictures.drawn),
    await readGreen(page, pictures.saved),
  ]
  const half = Math.round(size * height * 0.6)
  const [left, top] = [Math.round(x * width) - half, Math.round(y * height) - half]
  const differenceAt = (across: number, down: number): number => {
    let [sum, count] = [0, 0]
    for (let row = Math.max(reach, top); row < Math.min(height - reach, top + 2 * half); row += 1) {
      const end = Math.min(width - reach, left + 2 * half)
      for (let column = Math.max(reach, left); column < end; column += 1) {
        const there = (row + down) * width + column + across
        sum += Math.abs(drawn[row * width + column]! - saved[there]!)
        count += 1
      }
    }
    return sum / count
  }
  let best = { shift: [0, 0] as [number, number], difference: Infinity }
  for (let down = -reach; down <= reach; down += 1) {
    for (let across = -reach; across <= reach; across += 1) {
      const difference = differenceAt(across, down)
      if (difference < best.difference) best = { shift: [across, down], difference }
    }
  }
  return best
}

test('a brush takes something from a person, by finger and keys, and the saved picture shows it', async ({
  page,
  isMobile,
  see,
}) => {
  await ownerOfSelfie(page)
  await page.getByRole('button', { name: 'Adjust', exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'Adjust' })
  await expectOpened(editor)
  await expectSharp(editor)
  const [user, place] = await placesOf(editor, 2)
  if (!place) throw new Error('nobody stands beside the user')
  await editor.getByRole('tab', { name: 'Brush' }).click()
  await expect(editor.getByRole('button', { name: 'Erase' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  if (isMobile) await expectRoomOnPhones(page, editor)
  const parts = editor.locator('canvas')
  const drawnNow = () => parts.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  const whole = await drawnNow()
  const stage = editor.getByRole('application')
  const box = await boxOf(stage)
  // The star is chosen.
  const onUser = { x: box.x + box.width * user.x, y: box.y + box.height * user.y }
  if (isMobile) await page.touchscreen.tap(onUser.x, onUser.y)
  else await page.mouse.click(onUser.x, onUser.y)
  const missed = editor.getByText('To paint there, choose another person.')
  await expect(missed).toBeVisible()
  await expect(saveButton(editor), 'nothing was changed').toBeDisabled()
  await editor.getByRole('slider', { name: 'Size' }).press('End')
  const at = { x: box.x + box.width * place.x, y: box.y + box.height * place.y }
  if (isMobile) await page.touchscreen.tap(at.x, at.y)
  else {
    await page.mouse.move(at.x - 10, at.y)
    await page.mouse.down()
    await page.mouse.move(at.x + 10, at.y, { steps: 4 })
    await page.mouse.up()
  }
  await expect.poll(drawnNow).not.toBe(whole)
  await expect(missed).toBeHidden()
  await page.keyboard.press('Control+z')
  await expect.poll(drawnNow).toBe(whole)
  await page.keyboard.press('Control+Shift+z')
  await stage.press('Shift+ArrowUp')
  for (const key of [' ', 'ArrowUp', 'ArrowUp', ' ']) await page.keyboard.press(key)
  await see('editor-brush')
  const drawn = await drawnNow()
  await expect(parts).toBeHidden()
  await saveButton(editor).click()
  await expect(editor).toBeHidden()

  await expect(frames(page).last()).toHaveAccessibleName(/adjusted/)
  const saved = (await resultPicture(page).getAttribute('src')) ?? ''
  const pictures = { saved, place }
  const after = await comparePictures(page, { ...pictures, drawn })
  const before = await comparePictures(page, { ...pictures, drawn: whole })
  expect(after.difference, 'levels of 255').toBeLessThan(16)
  expect(before.difference).toBeGreaterThan(2 * after.difference)
})

/** The picture has most of the room, and above the row of steps stands all that the brush has, on phones of several sizes. */
async function expectRoomOnPhones(page: Page, editor: Locator): Promise<void> {
  const before = page.viewportSize()
  const sizes = [
    { width: 390, height: 844, share: 0.55 },
    { width: 360, height: 740, share: 0.42 },
    { ...phoneSize, share: 0.48 },
  ]
  for (const { share, ...size } of sizes) {
    await page.setViewportSize(size)
    const picture = await boxOf(editor.getByRole('application'))
    const areaPx = picture.width * picture.height
    expect(areaPx / size.width / size.height, `of ${size.width} × ${size.height}`).toBeGreaterThan(
      share,
    )
    const steps = await boxOf(editor.getByRole('button', { name: 'Undo' }))
    for (const name of ['Size', 'Soft edge']) {
      const slider = await boxOf(editor.getByRole('slider', { name }))
      const end = slider.y + slider.height
      expect(end, `${name} at ${size.width} × ${size.height}`).toBeLessThanOrEqual(steps.y - 8)
    }
  }
  if (before) await page.setViewportSize(before)
}

test('changes are asked for before they are lost, and an edge is looked at enlarged', async ({
  page,
  isMobile,
}) => {
  await ownerOfSelfie(page)
  await expect(frames(page).first()).toBeVisible()
  const known = await frames(page).count()
  await page.getByRole('button', { name: 'Adjust', exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'Adjust' })
  await expectOpened(editor)
  const preview = previewOf(editor)
  const widthOf = async () => (await boxOf(preview)).width
  const whole = await widthOf()
  const stood = await boxOf(preview)
  await editor.getByRole('tab', { name: 'Light' }).click()
  if (isMobile) await pinch(page, preview, [0.1, 0.15, 0.2, 0.25])
  else {
    await editor.getByRole('application').hover()
    await page.mouse.wheel(0, -300)
  }
  await expect.poll(widthOf).toBeGreaterThan(whole * 1.5)
  await expectSharp(editor)
  const beside = [stood.x - 8, stood.y + stood.height / 2] as const
  const isPicture = ([x, y]: typeof beside) =>
    document.elementFromPoint(x, y)?.closest('[role="application"]') !== null
  expect(await page.evaluate(isPicture, beside), 'it takes the room beside its frame').toBe(true)
  await editor.getByRole('button', { name: 'Zoom out' }).click()
  await editor.getByRole('button', { name: 'Zoom out' }).click()
  await expect.poll(widthOf).toBe(whole)

  await editor.getByRole('application').press('ArrowRight')
  await page.keyboard.press('Escape')
  const question = editor.getByRole('alertdialog', { name: 'Discard your changes?' })
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(editor.getByRole('application'), 'where one was').toBeFocused()
  await page.goBack()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(editor).toBeHidden()
  await expect(frames(page)).toHaveCount(known)

  // What a page that is enlarged to the double has of 1280 × 900.
  await page.setViewportSize({ width: 640, height: 450 })
  await page.getByRole('button', { name: 'Adjust', exact: true }).click()
  await expectOpened(editor)
  const picture = await boxOf(editor.getByRole('application'))
  const tabs = await boxOf(editor.getByRole('tablist'))
  expect(picture.height, 'the picture comes first where a page is enlarged').toBeGreaterThan(260)
  expect(picture.x).toBeLessThan(tabs.x)
  expect(await editor.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0)
  await editor.getByRole('button', { name: 'Cancel' }).click()
  const shown = await boxOf(resultPicture(page))
  const below = await boxOf(page.getByRole('button', { name: 'Download Image' }))
  expect(shown.y).toBeLessThan(below.y)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(640)
})

test('a version that was made by fingers or keys is downloaded clean after a purchase', async ({
  page,
  isMobile,
}) => {
  await ownerOfSelfie(page)
  await page.getByRole('button', { name: 'Adjust', exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'Adjust' })
  const size = editor.getByRole('slider', { name: 'Size' })
  await expectOpened(editor)
  const before = await size.inputValue()
  if (isMobile) await pinch(page, previewOf(editor))
  else await size.press('ArrowRight')
  await expect(size).not.toHaveValue(before)
  await saveButton(editor).click()
  await expect(editor).toBeHidden()
  await expect(frames(page).last()).toHaveAttribute('aria-pressed', 'true')
  await expect(frames(page).last()).toHaveAccessibleName(/adjusted/)
  const marked = await download(page)
  const markedAddress = (await resultPicture(page).getAttribute('src')) ?? ''
  await buyCredits(page)
  // The addresses are others after a purchase.
  const later = await page.context().newPage()
  await page.evaluate(
    (key) => localStorage.setItem(key, JSON.stringify({ credits: 100, orderId: 'bought' })),
    storageKeys.paymentNotice,
  )
  await later.goto('/dashboard')
  const told = later.getByRole('alertdialog')
  await expect(told.getByRole('img')).toBeVisible()
  const [heightPx, fontPx] = await told.getByText('Watermark removed').evaluate((line) => {
    return [line.getBoundingClientRect().height, Number.parseFloat(getComputedStyle(line).fontSize)]
  })
  expect(heightPx, 'what is said beside the picture has room').toBeLessThan(2 * (fontPx ?? 0))
  await told.getByRole('button', { name: 'Start Using Premium' }).click()
  await expect(frames(later).last()).toBeVisible()
  await expect(resultPicture(later)).not.toHaveAttribute('src', markedAddress)
  expect((await download(later)).equals(marked), 'the brand mark is gone').toBe(false)
})

/** Two fingers on the picture's left half; by default they come nearer to each other. */
async function pinch(
  page: Page,
  picture: Locator,
  [first, ...rest]: [number, ...number[]] = [0.24, 0.26, 0.28, 0.3],
): Promise<void> {
  const box = await boxOf(picture)
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
  await touch('touchStart', first)
  for (const apart of rest) await touch('touchMove', apart)
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

/** The bytes of the picture that the result's button saves. */
async function download(page: Page): Promise<Buffer> {
  const button = result(page).getByRole('button', { name: /^Download/ })
  let file = ''
  // The browser drops a press whose button moves before the release, as a version comes: it is pressed again.
  await expect(async () => {
    const saved = page.waitForEvent('download', { timeout: 60_000 })
    await button.click()
    file = await (await saved).path()
  }).toPass()
  return await readFile(file)
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

test('the parts of a picture are deleted when their owner says so @once', async ({ page }) => {
  await ownerOfSelfie(page)
  await unfoldMore(page)
  await page.getByRole('button', { name: 'End adjusting now' }).click()
  await expect(page.getByRole('button', { name: 'Adjust', exact: true })).toBeHidden()
  await expect(frames(page).first()).toBeVisible()
})
