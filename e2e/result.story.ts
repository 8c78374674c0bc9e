import { readKeptDraft } from './kept-draft.ts'
import {
  boxOf,
  chooseOwnPhoto,
  closeSheet,
  expect,
  fixture,
  generateButton,
  holdGeneration,
  type Locator,
  ownerOfSelfie,
  type Page,
  pickStar,
  portrait,
  resultPicture,
  test,
  unfoldMore,
  unfoldWishes,
} from './story.ts'

const screens = [
  [1440, 900],
  [1366, 768],
  [1280, 800],
] as const

/** Adds up what moves from now on, as Cumulative Layout Shift does, but also right after a press. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  const sum = await page.evaluateHandle(() => {
    const moved = { total: 0 }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moved.total += (entry as { value?: number }).value ?? 0
    }).observe({ type: 'layout-shift' })
    return moved
  })
  return () => sum.evaluate(({ total }) => total)
}

/** Which share of what is seen in an element's place is light, 0 to 1. */
async function lightShare(page: Page, place: Locator): Promise<number> {
  const picture = await page.screenshot({ clip: await boxOf(place), animations: 'allow' })
  return await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!
    context.drawImage(bitmap, 0, 0)
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height)
    const light = data.filter((value, index) => index % 4 === 0 && value > 128)
    return light.length / (data.length / 4)
  }, picture.toString('base64'))
}

test('as the studio makes room for the work, all is at its place at once @once', async ({
  page,
  newcomer,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.addInitScript(() => {
    const start = document.startViewTransition.bind(document)
    document.startViewTransition = (update) => {
      document.documentElement.dataset['glided'] = ''
      return start(update)
    }
  })
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  await holdGeneration(page)
  await expect(generateButton(page)).toBeEnabled()
  // From below the studio, where the bar stands in the middle of the window.
  await page.evaluate(() => scrollTo(0, 500))
  const stood = await boxOf(page.locator('.generate-bar'))
  await generateButton(page).evaluate((button: HTMLElement) => button.click())
  const paper = page.getByRole('progressbar').locator('xpath=ancestor::*[contains(@class, "sway")]')
  await expect(paper).toBeVisible()
  expect(await lightShare(page, paper), 'nothing lies on the paper').toBeGreaterThan(0.9)
  expect(await page.evaluate(() => scrollY), 'where the page has gone to').toBeGreaterThan(0)
  const bar = await boxOf(page.locator('.generate-bar'))
  expect(bar.y - stood.y, 'the bar stood elsewhere').toBeGreaterThan(20)
  await expect(page.locator('html'), 'nothing glides').not.toHaveAttribute('data-glided')
})

test('while a selfie is made its bar never stands lower than the steps crossed out say @once', async ({
  page,
  newcomer,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  const lags = await page.evaluateHandle(() => {
    const seen: { frames: number; stepsMax: number; lags: string[] } = {
      frames: 0,
      stepsMax: 0,
      lags: [],
    }
    const look = (): void => {
      requestAnimationFrame(look)
      const bar = document.querySelector('[role=progressbar]')
      if (!bar?.firstElementChild) return
      const steps = [...document.querySelectorAll('.stages > li')]
      const crossed = steps.filter((step) =>
        getComputedStyle(step).textDecorationLine.includes('line-through'),
      ).length
      const { a: shown } = new DOMMatrix(getComputedStyle(bar.firstElementChild).transform)
      seen.frames += 1
      seen.stepsMax = Math.max(seen.stepsMax, crossed)
      if (shown < crossed / steps.length - 0.01) {
        seen.lags.push(`${Math.round(100 * shown)} % at ${crossed} of ${steps.length}`)
      }
    }
    look()
    return seen
  })
  await generateButton(page).click()
  await expect(resultPicture(page)).toBeVisible()
  const seen = await lags.jsonValue()
  expect(seen.stepsMax, 'steps were crossed out meanwhile').toBeGreaterThan(0)
  expect(seen.lags).toEqual([])
})

test('the first look at a result is the picture itself, with the ring around it and not across @once', async ({
  page,
  newcomer,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  const finish = await holdGeneration(page)
  // What the pencil draws is there until it has been looked at.
  await page.evaluate(() => {
    const held = new CSSStyleSheet()
    held.replaceSync('.arrival { animation-play-state: paused !important }')
    document.adoptedStyleSheets = [held]
  })
  await expect(generateButton(page)).toBeEnabled()
  // Playwright itself would scroll to what sticks to the border.
  const box = await boxOf(generateButton(page))
  await page.mouse.click(box.x + 20, box.y + 20)
  // At the press the work takes the room, and the page goes there.
  const work = page.getByRole('progressbar').locator('xpath=ancestor::*[contains(@class, "sway")]')
  await expect(work).toBeInViewport({ ratio: 0.99 })
  const shifted = await watchShifts(page)
  const stoodAt = await page.evaluate(() => scrollY)
  const strip = await boxOf(page.locator('#create > .film-strip'))
  expect(Math.abs(strip.y), 'no part of the heading is left').toBeLessThan(1)
  finish()
  const picture = resultPicture(page)
  await expect(picture).toBeVisible()
  await expect(page.locator('.appears'), 'it comes up on its paper').toHaveCSS(
    'animation-name',
    'develop',
  )
  await expect(page.locator('.selfie-actions'), 'and before its buttons').toHaveCSS(
    'animation-delay',
    '0.15s',
  )
  await expect(page.getByRole('button', { name: 'Download Image' })).toBeInViewport({ ratio: 1 })
  expect(await shifted(), 'how much moves when the picture comes').toBeLessThan(0.05)
  const scrolled = (await page.evaluate(() => scrollY)) - stoodAt
  expect(Math.abs(scrolled), 'the page stays where it was, but for the sway').toBeLessThan(10)
  for (const [width, height] of screens) {
    await page.setViewportSize({ width, height })
    const bar = await boxOf(generateButton(page))
    const shown = await boxOf(picture)
    expect(shown.height, 'it takes the room').toBeGreaterThan(height * 0.75)
    expect(shown.y + shown.height, 'above the bar').toBeLessThan(bar.y)
    for (const name of [/^Version/, 'Download Image', 'Share on X', 'Adjust', 'More']) {
      const button = page.getByRole('button', { name, exact: true }).last()
      await expect(button, 'without scrolling').toBeInViewport({ ratio: 1 })
    }
  }
  const version = await boxOf(page.getByRole('img', { name: /^Version 1/ }))
  expect(version.height, 'large enough to choose by').toBeGreaterThanOrEqual(110)
  const stood = await boxOf(picture)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  for (const name of ['Make public and copy link', 'Print', 'Delete this version']) {
    await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
  }
  await expect(page.locator('.more-actions')).toHaveCSS('animation-name', 'unfold')
  await page.getByRole('button', { name: 'Download Image' }).focus()
  await page.mouse.click(8, 300)
  await expect(page.getByRole('button', { name: 'Print' }), 'a press beside it').toBeHidden()
  expect(await boxOf(picture), 'what opens leaves it as it is').toMatchObject({
    x: stood.x,
    width: stood.width,
  })
  await page.evaluate(() => {
    const notice = Object.assign(document.createElement('p'), { className: 'open-order' })
    document.getElementById('create')?.before(notice)
  })
  expect((await boxOf(picture)).width, 'below a notice too').toBe(stood.width)
  const reveal = await picture.evaluate((element) =>
    element.getAnimations().map((animation) => ({
      endMs: Number(animation.effect?.getComputedTiming().endTime),
      filtered: (animation.effect as KeyframeEffect)
        .getKeyframes()
        .some((keyframe) => 'filter' in keyframe || 'clipPath' in keyframe),
    })),
  )
  for (const { endMs, filtered } of reveal) {
    expect(endMs).toBeLessThanOrEqual(600)
    expect(filtered).toBe(false)
  }
  const deepestStroke = await picture.evaluate((element) => {
    const frame = element.getBoundingClientRect()
    const paths = element.parentElement?.querySelectorAll<SVGPathElement>('.pencil-stroke') ?? []
    const depths = [...paths].flatMap((path) => {
      const toScreen = path.getScreenCTM()
      if (!toScreen) return []
      const length = path.getTotalLength()
      return Array.from({ length: 200 }, (_, index) => {
        const { x, y } = path.getPointAtLength((length * index) / 200).matrixTransform(toScreen)
        return Math.min(x - frame.left, frame.right - x, y - frame.top, frame.bottom - y)
      })
    })
    return Math.max(...depths) / frame.width
  })
  expect(deepestStroke, 'how far a stroke reaches into the picture, of its width').toBeLessThan(
    0.01,
  )
  expect(deepestStroke, 'there is a stroke').toBeGreaterThan(-0.1)
  await page.evaluate(() => (document.adoptedStyleSheets = []))
  await expect(page.locator('.arrival'), 'and then it goes').toHaveCSS('opacity', '0')
  await page.getByRole('button', { name: 'Before / after' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Before / after' })).toBeFocused()
  await expect(page.locator('.arrival'), 'for good').toHaveCSS('opacity', '0')
  await page.reload()
  await expect(picture).toBeVisible()
  expect((await boxOf(picture)).width, 'as large after a reload').toBe(stood.width)
})

test('on return to a selfie it is as large as when it was made, and its buttons stand above the bar, on each screen @once', async ({
  page,
}) => {
  await ownerOfSelfie(page)
  for (const [width, height] of screens) {
    await page.setViewportSize({ width, height })
    await page.reload()
    await expect(resultPicture(page)).toBeVisible()
    const result = page.getByRole('region', { name: 'AI RESULT' })
    const shown = await boxOf(result)
    expect(shown.width / width, 'its share of the width').toBeGreaterThanOrEqual(0.4)
    const bar = await boxOf(generateButton(page))
    const seen = await boxOf(resultPicture(page))
    expect(seen.height / height, 'its share of the height').toBeGreaterThanOrEqual(0.66)
    const main = await boxOf(page.getByRole('button', { name: 'Download Image' }))
    expect(main.width, 'no wider than its words need').toBeLessThanOrEqual(416)
    for (const name of ['Download Image', 'Share on X', 'Adjust', 'More']) {
      await expect
        .poll(() =>
          result.getByRole('button', { name, exact: true }).evaluate((button) => {
            const { left, top, bottom, width: across } = button.getBoundingClientRect()
            return document.elementFromPoint(left + across / 2, bottom - 2) === button && top > 0
          }),
        )
        .toBe(true)
    }
    expect(await page.evaluate(() => scrollY), 'nothing is scrolled away').toBe(0)
    await expect(page.getByRole('button', { name: 'Use sample face 6' })).toBeVisible()
    const star = await boxOf(page.getByRole('button', { name: 'Elena Vassandri', exact: true }))
    expect(star.y + star.height, 'a whole row of stars').toBeLessThan(bar.y)
    const large = page.getByRole('dialog').getByRole('img', { name: /made with AI/ })
    const enlarge = page.getByRole('button', { name: 'Enlarge the picture' })
    await enlarge.press('Enter')
    await expect
      .poll(async () => (await boxOf(large)).height, 'as high as the window')
      .toBeCloseTo(height, 0)
    const widthOf = async () => (await boxOf(large)).width
    await page.keyboard.press('+')
    await expect.poll(widthOf, 'in its own pixels').toBe(1024)
    const dialog = page.getByRole('dialog')
    const scrolled = () => dialog.evaluate(({ scrollTop }) => scrollTop)
    const middle = await scrolled()
    await expect(async () => {
      // The browser may drop a key that comes before it has drawn what scrolls.
      await page.keyboard.press('ArrowDown')
      await expect.poll(scrolled, { timeout: 1_000 }).toBeGreaterThan(middle)
    }).toPass()
    await page.mouse.move(width / 2, height / 2)
    await page.mouse.down()
    await page.mouse.move(width / 2, height / 2 + 200, { steps: 4 })
    await page.mouse.up()
    await expect.poll(scrolled, 'dragged').toBeLessThan(middle)
    expect(await widthOf(), 'a drag is no press').toBe(1024)
    await large.click({ position: { x: 500, y: 600 } })
    await expect.poll(async () => (await boxOf(large)).height).toBeCloseTo(height, 0)
    await page.keyboard.press('Escape')
    await expect(enlarge).toBeFocused()
    await page.locator('#create > .film-strip').evaluate((strip) => strip.scrollIntoView())
    const whole = await boxOf(resultPicture(page))
    const end = whole.y + whole.height
    expect(end, 'whole above the bar, scrolled to').toBeLessThan(bar.y)
    await page.evaluate(() => scrollTo(0, 0))
  }
})

/** How many rows of stars stand whole above the bar. */
const rowsOfStars = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const bar = document.querySelector('.generate-bar')?.getBoundingClientRect().top ?? 0
    const stars = [...document.querySelectorAll('.star-grid button')]
    const whole = stars
      .map((star) => star.getBoundingClientRect())
      .filter(({ bottom }) => bottom <= bar)
    return new Set(whole.map(({ top }) => Math.round(top))).size
  })

test('beside a result both photos and rows of stars stand above the bar, whatever is said of the photo, and the scenes are a press away @once', async ({
  page,
}) => {
  await ownerOfSelfie(page)
  await pickStar(page)
  const mine = page.getByLabel('PERSON 1: Upload Photo')
  const remarks = page.getByRole('list', { name: 'Photo check' }).getByRole('listitem')
  for (const [photo, said, more] of [
    [portrait('face-2'), 'Great photo.', 'Outdoor scenes will look best.'],
    [fixture('two-people.jpg'), '2 faces found.', 'Black and white will suit your selfie best'],
  ] as const) {
    await mine.setInputFiles(photo)
    await expect(remarks.first()).toContainText(said)
    for (const [width, height, rows] of [
      [1440, 900, 2],
      [1366, 768, 1],
      [1280, 800, 2],
      [1280, 720, 1],
    ] as const) {
      await page.setViewportSize({ width, height })
      const screen = `${said} at ${width} × ${height}`
      await expect.poll(() => rowsOfStars(page), { message: screen }).toBeGreaterThanOrEqual(rows)
      for (const title of ['PERSON 1', 'PERSON 2']) {
        const frame = page.getByRole('region', { name: title }).getByRole('img').first()
        await expect(frame, screen).toBeInViewport({ ratio: 1 })
      }
      await expect(remarks.first(), screen).toBeInViewport({ ratio: 1 })
      await expect(page.getByText(more), 'one line').toBeHidden()
    }
    const fold = page.locator('.all-remarks summary')
    await fold.click()
    await expect(page.getByText(more), 'all by one press').toBeVisible()
    await fold.click()
  }
  await mine.setInputFiles(fixture('curtain.jpg'))
  await expect(page.getByText('No face was found.'), 'what spoils it, by none').toBeInViewport()
  await page.setViewportSize({ width: 1440, height: 900 })
  const scene = page.getByRole('group', { name: 'Scene' }).getByText('Forest')
  await expect(scene).not.toBeInViewport()
  // Playwright itself would scroll to what sticks to the border.
  const press = async (part: Locator) => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await part.boundingBox()) ?? {}
    await page.mouse.click(x + width / 2, y + height / 2)
  }
  await press(page.getByRole('button', { name: 'Scene, format, look' }))
  await expect(scene).toBeInViewport({ ratio: 1 })
  await expect(generateButton(page)).toBeInViewport({ ratio: 1 })
  await press(scene)
  await expect(page.getByRole('radio', { name: 'Forest' })).toBeChecked()
  await expect(scene, 'it stays for another choice').toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => scrollY), 'nothing scrolls').toBe(0)
  await press(page.locator('#ai-result'))
  await expect(scene, 'and goes where something else is pressed').not.toBeInViewport()
})

/** Where on the page all stands that is pressed beside the picture, and where its rows end, in px. */
async function placesBeside(page: Page): Promise<{ places: number[]; ends: number[] }> {
  return await page.getByRole('region', { name: 'AI RESULT' }).evaluate((result) => {
    const rectangleOf = (part: Element) => part.getBoundingClientRect()
    const buttons = [...result.querySelectorAll('.print-row :is(button:not(.absolute), a)')]
    const places = buttons.map(rectangleOf).flatMap(({ left, top, right, bottom }) => {
      return [left, top + scrollY, right, bottom + scrollY]
    })
    const inRows = buttons.filter((button) => button.matches('.button, .selfie-actions > *'))
    const rows = Map.groupBy(inRows.map(rectangleOf), ({ top }) => Math.round(top)).values()
    const ends = [...rows].map((row) => Math.max(...row.map(({ right }) => right)))
    return {
      places,
      ends: [
        ...ends,
        ...[...result.querySelectorAll('[role=group]')].map((strip) => rectangleOf(strip).right),
      ],
    }
  })
}

/** Unfolds what is done less often: versions and picture stay where they are in the page, and in sight with what came. */
async function expectMoreMovesNothing(page: Page): Promise<void> {
  const versions = page.getByRole('button', { name: /^Version [1-4]:/ })
  const places = () =>
    versions.evaluateAll((all) =>
      all.map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect()
        return [x, y + scrollY, width, height].map(Math.round)
      }),
    )
  for (const [width, height] of screens) {
    await page.setViewportSize({ width, height })
    await page.locator('#create > .film-strip').evaluate((strip) => strip.scrollIntoView())
    const [stood, shown] = [await places(), await boxOf(resultPicture(page))]
    await unfoldMore(page)
    expect(await places(), `versions at ${width} × ${height}`).toEqual(stood)
    const { x, width: across } = shown
    expect(await boxOf(resultPicture(page))).toMatchObject({ x, width: across })
    await expect(resultPicture(page)).toBeInViewport({ ratio: 0.9 })
    for (const name of ['Make public and copy link', 'Print', 'Delete this version']) {
      await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
    }
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'More', exact: true })).toBeFocused()
  }
}

test('from 1024 px on what is done with a result stands beside it, with all its versions in sight @once', async ({
  page,
}) => {
  await ownerOfSelfie(page)
  for (const [width, height] of [[1024, 768], [1100, 800], ...screens] as const) {
    await page.setViewportSize({ width, height })
    const picture = await boxOf(resultPicture(page))
    expect(picture.height / height, `its share of the height at ${width}`).toBeGreaterThan(0.6)
    for (const name of ['Download Image', 'Adjust', 'Get more versions (free)']) {
      const button = await boxOf(page.getByRole('button', { name }))
      expect(button.x, `${name} at ${width}`).toBeGreaterThan(picture.x + picture.width)
      expect(button.y + button.height).toBeLessThan(picture.y + picture.height)
    }
    const versions = page.getByRole('group', { name: 'Versions' })
    const isCut = await versions.evaluate((list) => list.scrollHeight > list.clientHeight + 1)
    expect(isCut, `versions at ${width} by ${height}`).toBe(false)
  }
})

test('another version moves nothing beside the picture, whatever its format @once', async ({
  page,
}) => {
  await ownerOfSelfie(page)
  const versions = page.getByRole('group', { name: 'Versions' }).getByRole('button')
  for (const state of ['at first', 'with others']) {
    if (state === 'with others') {
      await page.getByRole('button', { name: 'Get more versions (free)' }).click()
      await expect(page.getByText(/more versions are here/)).toBeVisible()
    }
    await expectMoreMovesNothing(page)
    const formats = await versions.locator('img').evaluateAll((all) =>
      all.map((one) => {
        const [width, height] = ['width', 'height'].map((side) => Number(one.getAttribute(side)))
        return Math.round((10 * (width ?? 0)) / (height ?? 1)) / 10
      }),
    )
    expect(new Set(formats).size, 'there are several formats').toBeGreaterThan(2)
    const stood = new Map<string, number[]>()
    const widths = new Map<string, number>()
    for (const format of new Set(formats)) {
      const version = versions.nth(formats.indexOf(format))
      await version.click()
      await expect(version).toHaveAttribute('aria-pressed', 'true')
      const [picture, ring] = await version
        .locator('img, svg')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
      expect(ring, 'around the picture').toBeLessThan(picture ?? 0)
      const isCut = await page
        .getByText(/^Version \d+: /)
        .evaluate((name) => name.scrollWidth > name.clientWidth)
      expect(isCut, 'its name stands whole').toBe(false)
      for (const [width, height] of [...screens, [1920, 1080]] as const) {
        await page.setViewportSize({ width, height })
        const screen = `${width} × ${height}, ${state}`
        const { places, ends } = await placesBeside(page)
        expect(Math.max(...ends) - Math.min(...ends), `one edge at ${screen}`).toBeLessThan(2)
        const moved = stood.get(screen)?.map((px, index) => Math.abs(px - (places[index] ?? 0)))
        expect(Math.max(0, ...(moved ?? [])), `moved by ${format} at ${screen}`).toBeLessThan(2)
        stood.set(screen, places)
        const shown = await boxOf(resultPicture(page))
        expect(shown.width / shown.height, 'nothing is cut').toBeCloseTo(format, 0.9)
        const widest = Math.max(shown.width, widths.get(screen) ?? 0)
        if (format > 1.5) expect(shown.width, 'a wide one is the widest').toBe(widest)
        widths.set(screen, widest)
      }
    }
  }
})

test('a wide result is awaited on wide paper, in its place, and every button beside it is as high as another @once', async ({
  page,
  newcomer,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  await unfoldWishes(page)
  await page.getByText('Wide 16:9').last().click()
  const finish = await holdGeneration(page)
  await generateButton(page).click()
  const paper = page.locator('.result-print > :first-child')
  await expect(page.getByRole('progressbar')).toBeVisible()
  // It sways while it is waited for, and so its turned box is larger.
  const sizeOf = () => paper.evaluate((box: HTMLElement) => [box.offsetWidth, box.offsetHeight])
  const [width = 0, height = 0] = await sizeOf()
  finish()
  await expect(resultPicture(page)).toBeVisible()
  await expect.poll(async () => (await sizeOf())[0]).toBeGreaterThan(width - 8)
  expect(Math.abs((await sizeOf())[1]! - height)).toBeLessThan(8)
  const heightOf = async (name: string) =>
    (await boxOf(page.getByRole('button', { name, exact: true }))).height
  await expect.poll(() => heightOf('Share on X')).toBe(await heightOf('Adjust'))
})

test('before and after are compared by pointer, by touch and by keys', async ({
  page,
  newcomer,
  see,
  isMobile,
}) => {
  await newcomer()
  await chooseOwnPhoto(page, portrait('face-2'))
  await pickStar(page)
  await generateButton(page).click()
  await expect(resultPicture(page)).toBeVisible()
  if (isMobile) {
    const sheet = page.getByRole('dialog', { name: 'AI RESULT' })
    await unfoldMore(sheet)
    const menu = sheet.locator('.more-actions')
    await expect(menu).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(menu, 'Escape closes the menu alone').toBeHidden()
    await expect(sheet).toBeVisible()
  }
  await page.getByRole('button', { name: 'Before / after' }).click()
  const slider = page.getByRole('slider', { name: 'Compare before and after' })
  const shownOfOriginal = () =>
    slider.evaluate((element) => {
      const layer = element.parentElement?.querySelector(':scope > div')
      return layer ? getComputedStyle(layer).clipPath : ''
    })
  await slider.fill('30')
  // On the side on which the own face stands.
  await expect.poll(shownOfOriginal).toBe('inset(0px 0px 0px 30%)')
  await slider.press('ArrowRight')
  await expect.poll(shownOfOriginal).toBe('inset(0px 0px 0px 31%)')
  const box = await boxOf(slider)
  const place = { x: box.width * 0.5, y: box.height * 0.5 }
  await (isMobile ? slider.tap({ position: place }) : slider.click({ position: place }))
  await expect.poll(shownOfOriginal).toBe('inset(0px 0px 0px 50%)')
  await see('result-compare')
  const colours = (): Promise<string> =>
    page
      .locator('.before-after')
      .getByAltText('Your photo')
      .evaluate(async (shown: HTMLImageElement) => {
        await shown.decode()
        const context = new OffscreenCanvas(4, 4).getContext('2d')
        context?.drawImage(shown, 0, 0, 4, 4)
        return context?.getImageData(0, 0, 4, 4).data.join() ?? ''
      })
  const before = await colours()
  await closeSheet(page)
  await chooseOwnPhoto(page, portrait('face-4'))
  for (const visit of ['another photo is chosen', 'the page is loaded anew']) {
    if (visit.endsWith('anew')) {
      await expect
        .poll(() => page.evaluate(readKeptDraft))
        .toMatchObject({ photos: ['mine', 'used'] })
      await page.reload()
    }
    const compare = page.getByRole('button', { name: 'Before / after' })
    if ((await compare.getAttribute('aria-pressed')) === 'false') await compare.click()
    await expect(slider).toBeVisible()
    expect(await colours(), `once ${visit}`).toBe(before)
  }
})
