import {
  boxOf,
  endGlide,
  expect,
  glideTo,
  holdGlides,
  ownerOfSelfie,
  resultPicture,
  test,
} from './story.ts'
import type { Box, Page } from './story.ts'

/** Whatever has been animated since the last question: how long, how, and what of it. */
async function moved(page: Page) {
  return page.evaluate(() => {
    const seen = document.documentElement.dataset
    const all = JSON.parse(seen['moved'] ?? '[]') as [number, string, string[]][]
    delete seen['moved']
    return all
  })
}

/** Notes each animation as it begins: a busy machine may have no frame before it has ended. */
function noteMotion(): void {
  const known = new WeakSet<Animation>()
  const look = (): void => {
    const dataset = document.documentElement?.dataset
    if (!dataset) return
    for (const animation of document.getAnimations()) {
      const { effect } = animation
      // What goes on as the page is scrolled, or while something is awaited, is no motion that ends.
      if (known.has(animation) || !(effect instanceof KeyframeEffect)) continue
      known.add(animation)
      const { duration, iterations } = effect.getComputedTiming()
      const isOver = animation.timeline === document.timeline && iterations !== Infinity
      // One that turns back has less to go, and what comes at once, though later, moves nothing.
      if (!isOver || animation instanceof CSSTransition || duration === 0) continue
      const frames = effect.getKeyframes()
      const easing = [effect.getTiming().easing, ...frames.map((frame) => frame.easing)].find(
        (each) => each !== 'linear',
      )
      // The browser's own layers of a view transition have sizes of their own.
      const isLayer = effect.pseudoElement?.startsWith('::view-transition') === true
      const what = isLayer ? [] : frames.flatMap((frame) => Object.keys(frame))
      const all = JSON.parse(dataset['moved'] ?? '[]') as unknown[]
      dataset['moved'] = JSON.stringify([...all, [duration, easing, [...new Set(what)]]])
    }
  }
  const lookInEachFrame = (): void => {
    requestAnimationFrame(lookInEachFrame)
    look()
  }
  lookInEachFrame()
  const changes = { subtree: true, childList: true, attributes: true }
  new MutationObserver(look).observe(document, changes)
  const start = document.startViewTransition.bind(document)
  document.startViewTransition = (options) => {
    const transition = start(options)
    // One that another takes the place of is skipped.
    transition.ready.then(look, () => undefined)
    return transition
  }
}

const frameKeys = ['offset', 'computedOffset', 'easing', 'composite']
const cheap = ['opacity', 'transform', 'translate', 'scale', 'backgroundColor', 'color']

async function expectCalm(page: Page, what: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.dataset['moved'] ?? ''), {
      message: what,
    })
    .not.toBe('')
  for (const [duration, easing, keys] of await moved(page)) {
    expect(duration, what).toBe(200)
    expect(easing, what).toBe('cubic-bezier(0.2, 0, 0, 1)')
    expect([...frameKeys, ...cheap], what).toEqual(expect.arrayContaining(keys))
  }
}

test('viewer, editor, dialogs and menus come and go in one short motion @once', async ({
  page,
}) => {
  await page.addInitScript(noteMotion)
  await ownerOfSelfie(page)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  for (const name of ['Enlarge the picture', 'Adjust'] as const) {
    await moved(page)
    await page.getByRole('button', { name, exact: true }).click()
    await expectCalm(page, name)
    // Its program may come after something else has moved.
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expectCalm(page, `${name}, closed`)
    await expect(page.locator('dialog')).toHaveCount(0)
  }
  await moved(page)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expectCalm(page, 'More')
  await page.goto('/gallery')
  await page.getByRole('button', { name: /^Selfie with/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectCalm(page, 'a selfie of the gallery')
  await page.getByRole('button', { name: 'Close' }).click()
  await expectCalm(page, 'a selfie, closed')
  await expect(page.locator('dialog')).toHaveCount(0)
})

/** Notes of each view transition which of its parts stood before and stand after it, and whether a dialog is open then. */
function notePairs(): void {
  const start = document.startViewTransition.bind(document)
  document.startViewTransition = (options) => {
    const transition = start(options)
    const note = (): void => {
      const parts = document.getAnimations().flatMap(({ effect }) => {
        if (!(effect instanceof KeyframeEffect)) return []
        return (
          /^::view-transition-(group|old|new)\((.*)\)$/
            .exec(effect.pseudoElement ?? '')
            ?.slice(1) ?? []
        )
      })
      const end = document.querySelector('dialog[open]') ? 'open' : 'closed'
      document.documentElement.dataset['pairs'] = [...new Set(parts), end].toSorted().join(' ')
    }
    // One that another takes the place of is skipped.
    transition.ready.then(note, () => undefined)
    return transition
  }
}

test('a picture glides between its place and the dialog that shows it large, and back @once', async ({
  page,
}) => {
  await page.addInitScript(notePairs)
  await ownerOfSelfie(page)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const glides = async (end: 'open' | 'closed', what: string) => {
    const pairs = () => page.evaluate(() => document.documentElement.dataset['pairs'])
    // The picture passes below the bar, where there is one; all else fades in its place.
    const bar = page.url().endsWith('/dashboard') ? ['generate-bar'] : []
    const parts = ['group', 'new', 'old', 'picture', 'root']
    const expected = [...parts, ...bar, end].toSorted().join(' ')
    await expect.poll(pairs, { message: what }).toBe(expected)
    await page.evaluate(() => delete document.documentElement.dataset['pairs'])
  }
  const enlarge = page.getByRole('button', { name: 'Enlarge the picture' })
  const frame = page.getByRole('button', { name: /^Selfie with/ })
  for (const [at, opener] of [
    ['/dashboard', enlarge],
    ['/gallery', frame],
  ] as const) {
    await page.goto(at, { waitUntil: 'networkidle' })
    await opener.click()
    await glides('open', `from ${at}`)
    await page.keyboard.press('Escape')
    await glides('closed', `back to ${at}`)
    await expect(opener).toBeFocused()
  }
})

test('a picture glides into its editor and back, unchanged or saved, and is never seen twice @once', async ({
  page,
}) => {
  await holdGlides(page)
  await ownerOfSelfie(page)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const adjust = page.getByRole('button', { name: 'Adjust', exact: true })
  const editor = page.getByRole('dialog', { name: 'Adjust' })
  const layers = ['generate-bar', 'picture', 'root']
  const shown = resultPicture(page)
  const place = await boxOf(shown)
  await adjust.click()
  expect(await glideTo(page, 0), 'into the editor').toEqual(layers)
  expect(await pictureLayer(page), 'from its place').toEqual(sizeOf(place))
  await glideTo(page, 200)
  const stage = await boxOf(editor.getByRole('img').first())
  expect(await pictureLayer(page), 'to that in the editor').toEqual(sizeOf(stage))
  await endGlide(page)
  const besidePaper = { x: stage.x - 40, y: stage.y + stage.height / 2, width: 30, height: 30 }
  const look = async () => {
    const picture = await page.screenshot({ clip: besidePaper, animations: 'allow' })
    return picture.toString('base64')
  }
  await page.keyboard.press('Escape')
  await glideTo(page, 0)
  const beside = await look()
  expect(await glideTo(page, 200), 'back').toEqual(layers)
  expect(await pictureLayer(page), 'to its place').toEqual(sizeOf(place))
  await endGlide(page)
  await expect(adjust).toBeFocused()
  await adjust.click()
  await glideTo(page, 200)
  await endGlide(page)
  // Its parts have come.
  await expect(editor.getByRole('tab', { name: 'People' })).toBeFocused()
  await editor.getByRole('slider', { name: 'Move sideways' }).press('ArrowLeft')
  await editor.getByRole('button', { name: 'Zoom in' }).click()
  expect(await look(), 'enlarged it is wider').not.toBe(beside)
  await editor.getByRole('button', { name: 'Save', exact: true }).click()
  expect(await glideTo(page, 0), 'as it is saved').toEqual(layers)
  expect(await look(), 'it glides as a whole').toBe(beside)
  const small = page.locator('.result-panel .result-print img').first()
  const hasCome = (image: HTMLElement | SVGElement) => (image as HTMLImageElement).naturalWidth > 0
  expect(await small.evaluate(hasCome), 'to what has come').toBe(true)
  expect(await pictureLayer(page), 'from the editor').toEqual(sizeOf(stage))
  await endGlide(page)
  await expect(page.locator('dialog')).toHaveCount(0)
})

/** How large the gliding picture is drawn, in whole CSS px. */
const pictureLayer = (page: Page) =>
  page.evaluate(() => {
    const layer = getComputedStyle(document.documentElement, '::view-transition-group(picture)')
    return [layer.width, layer.height].map((length) => Math.round(Number.parseFloat(length)))
  })

const sizeOf = ({ width, height }: Box) => [Math.round(width), Math.round(height)]
