import { expect, type Locator, type Page } from '@playwright/test'

/** What was found of one button, link or field in one state. */
interface State {
  what: string
  textContrast: number
  outline: string
  outlineContrast: number
}

const textContrastMin = 4.5
/** WCAG 2.2, success criterion 1.4.11. */
const outlineContrastMin = 3
const modes = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const

/**
 * Puts the mouse over, and the focus on, one of every kind of button, link and field, in both
 * themes and in forced colours: its text stays readable and the focus is seen. axe looks at
 * elements at rest only.
 */
export async function expectVisibleStates(page: Page, name: string): Promise<void> {
  for (const mode of modes) {
    await page.emulateMedia({ ...mode, reducedMotion: 'reduce' })
    const count = await page.evaluate(markOneOfAKind)
    expect(count, `${name} has something to press`).toBeGreaterThan(0)
    const problems: string[] = []
    for (let index = 0; index < count; index += 1) {
      const element = page.locator(`[data-state-check="${index}"]`)
      await element.hover({ force: true })
      for (const { what, textContrast } of await readStates(element, 'hover')) {
        if (textContrast < textContrastMin) {
          problems.push(`${what} under the mouse: ${textContrast.toFixed(2)}`)
        }
      }
    }
    await page.mouse.move(0, 0)
    // Only after a key do browsers show the focus that a script sets.
    await page.keyboard.press('Shift')
    for (const state of await readStates(page.locator('[data-state-check]'), 'focus')) {
      if (state.outline === 'none' || state.outlineContrast < outlineContrastMin) {
        problems.push(
          `${state.what} with the focus: ${state.outline} ${state.outlineContrast.toFixed(2)}`,
        )
      }
    }
    const look = mode.forcedColors === 'active' ? 'forced colours' : mode.colorScheme
    expect(problems, `${name} in ${look}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' })
}

/** Expects an element's text to stand out from what is behind it, which axe doesn't ask of what is off. */
export async function expectReadable(element: Locator): Promise<void> {
  await expect
    .poll(async () => (await readStates(element, 'rest'))[0]?.textContrast)
    .toBeGreaterThanOrEqual(textContrastMin)
}

type Look = 'rest' | 'hover' | 'focus'

/** Reads elements' states one after the other; those that are not well only after their transitions have ended. */
function readStates(elements: Locator, look: Look): Promise<State[]> {
  return elements.evaluateAll(readStatesInPage, { look, textContrastMin, outlineContrastMin })
}

/** Runs in the page: numbers the first of every kind of element that can be pressed. */
function markOneOfAKind(): number {
  const root = document.querySelector('dialog[open]') ?? document.body
  const seen = new Set<string>()
  for (const old of document.querySelectorAll('[data-state-check]')) {
    old.removeAttribute('data-state-check')
  }
  const pressable = 'a[href], button, summary, select, textarea, input:not([type="file"])'
  for (const element of root.querySelectorAll<HTMLElement>(pressable)) {
    const isOff = element.matches(':disabled, [aria-disabled="true"], .sr-only, .skip-link')
    if (isOff || !element.checkVisibility({ visibilityProperty: true })) continue
    const kind = `${element.tagName} ${element.className} ${element.closest('.on-film') !== null}`
    if (seen.has(kind)) continue
    element.setAttribute('data-state-check', String(seen.size))
    seen.add(kind)
  }
  return seen.size
}

/** Runs in the page: contrasts (WCAG 2.2) of elements' text and outline against what is behind. */
async function readStatesInPage(
  elements: Element[],
  limits: { look: Look; textContrastMin: number; outlineContrastMin: number },
): Promise<State[]> {
  type Colour = [number, number, number, number]
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const known = new Map<string, Colour>()
  const read = (css: string): Colour => {
    const before = known.get(css)
    if (before) return before
    if (!canvas) throw new Error('no canvas')
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = css
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
    const colour: Colour = [red, green, blue, alpha / 255]
    known.set(css, colour)
    return colour
  }
  const over = (front: Colour, back: Colour): Colour => {
    const mix = (index: 0 | 1 | 2): number => front[index] * front[3] + back[index] * (1 - front[3])
    return [mix(0), mix(1), mix(2), 1]
  }
  const behind = (from: Element | null): Colour => {
    if (!from) return read(getComputedStyle(document.documentElement).backgroundColor)
    const own = read(getComputedStyle(from).backgroundColor)
    return own[3] > 0.99 ? own : over(own, behind(from.parentElement))
  }
  const luminance = ([red, green, blue]: Colour): number => {
    const linear = (value: number): number =>
      value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
  const contrast = (one: Colour, other: Colour): number => {
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }
  const readOne = (element: Element): State => {
    const style = getComputedStyle(element)
    const ground = behind(element)
    const around = behind(element.parentElement)
    return {
      what: `${element.tagName.toLowerCase()} '${(element.textContent || element.id).trim().slice(0, 40)}'`,
      textContrast: element.textContent ? contrast(over(read(style.color), ground), ground) : 21,
      outline: Number.parseFloat(style.outlineWidth) >= 2 ? style.outlineStyle : 'none',
      outlineContrast: contrast(over(read(style.outlineColor), around), around),
    }
  }
  const isWell = (state: State): boolean =>
    limits.look === 'focus'
      ? state.outline !== 'none' && state.outlineContrast >= limits.outlineContrastMin
      : state.textContrast >= limits.textContrastMin
  const nextFrame = () =>
    new Promise((resolve) => {
      requestAnimationFrame(resolve)
    })
  // Colours follow a state with a transition, of which only the end counts.
  const finishTransitions = async (element: Element): Promise<void> => {
    // Focus and hover are drawn in the next frame, and what they start is known in the one after it.
    await nextFrame()
    await nextFrame()
    await Promise.allSettled(element.getAnimations().map((animation) => animation.finished))
  }
  const states: State[] = []
  for (const element of elements) {
    if (limits.look === 'focus' && element instanceof HTMLElement) element.focus()
    if (limits.look !== 'rest' && !isWell(readOne(element))) await finishTransitions(element)
    states.push(readOne(element))
  }
  return states
}
