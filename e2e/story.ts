import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test as base, type Locator, type Page, type TestInfo } from '@playwright/test'
import { storageKeys } from '@starside/contract/api.ts'
import type axe from 'axe-core'
import type { GenerationAnswer } from '@starside/contract/generation.ts'
import { giveSelfie } from './copied-selfie.ts'
import { phoneSize } from './playwright.config.ts'

export { expect, type Locator, type Page } from '@playwright/test'

const screensFolder = path.join(import.meta.dirname, 'screens')
export const fixture = (name: string): string => path.join(import.meta.dirname, 'fixtures', name)
/** The photo of somebody who doesn't exist: a folder of `server/people`. */
export const portrait = (id: string): string =>
  path.join(import.meta.dirname, '..', 'server', 'people', id, 'picture.jpg')

interface StoryParts {
  /** Console errors that this story provokes on purpose. */
  tolerated: RegExp | null
  /** Looks at the screen: axe finds nothing, and no text is cut off. */
  see: (name: string, page?: Page) => Promise<void>
  /** Somebody new, signed in on the dashboard. */
  newcomer: (page?: Page) => Promise<Person>
}

export interface Person {
  username: string
  email: string
  password: string
}

export type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>

let counter = 0
/** Somebody whom the program does not know yet. */
export function somebody(): Person {
  counter += 1
  const id = `${process.pid}-${Date.now().toString(36)}-${counter}`
  return { username: 'ada', email: `ada-${id}@example.com`, password: 'secret-1' }
}

/** A story: every console error that was not announced, and every policy violation, fails it. */
export const test = base.extend<StoryParts>({
  tolerated: [null, { option: true }],
  context: async ({ context, tolerated }, give) => {
    const errors: string[] = []
    context.on('console', (message) => {
      if (message.type() !== 'error') return
      const text = `${message.text()} (${message.location().url})`
      if (!tolerated?.test(text)) errors.push(text)
    })
    context.on('weberror', (error) => errors.push(String(error.error())))
    await give(context)
    // What is still on its way when a story ends is no failure of the answer that it would have got.
    await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
    expect(errors, 'console errors').toEqual([])
  },
  see: async ({ page }, give, info) => {
    await give((name, other) => see(other ?? page, name, info))
  },
  newcomer: async ({ page }, give) => {
    await give((other) => register(other ?? page))
  },
})

async function see(page: Page, name: string, info: TestInfo): Promise<void> {
  const ownSize = page.viewportSize()
  for (const { project, colorScheme, size } of looksOf(info)) {
    if (size !== undefined) await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(loadEverything)
    const violations = await runAxe(page)
    const found = violations.map((violation) => ({
      rule: violation.id,
      where: violation.nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary}`),
    }))
    const look = `${name} on a ${project} in ${colorScheme}`
    expect(found, look).toEqual([])
    expect(await page.evaluate(findCutText), `${look} cuts text off`).toEqual([])
    if (keepsPictures) await keepPicture(page, `${name}-${project}-${colorScheme}`)
    if (size !== undefined && ownSize !== null) await page.setViewportSize(ownSize)
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Runs in the page: fonts and pictures have come, those below the screen too. */
async function loadEverything(): Promise<void> {
  await document.fonts.ready
  const pictures = [...document.images]
  for (const picture of pictures) picture.loading = 'eager'
  await Promise.all(
    pictures.map(async (picture) => {
      if (picture.complete) return
      await new Promise((resolve) => {
        for (const end of ['load', 'error']) picture.addEventListener(end, resolve, { once: true })
      })
    }),
  )
}

const axeSource = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** What axe has against the page. Its source is read once by each document, past Playwright, which parses it twice. */
async function runAxe(page: Page): Promise<axe.Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    const debuggerOfPage = await page.context().newCDPSession(page)
    await debuggerOfPage.send('Runtime.evaluate', { expression: axeSource })
    await debuggerOfPage.detach()
  }
  return await page.evaluate(async (values) => {
    const { axe: checker } = window as unknown as { axe: typeof axe }
    // Nobody reads what is well, which takes longer to write down than to check.
    const { violations, incomplete } = await checker.run(document, {
      resultTypes: ['violations', 'incomplete'],
      runOnly: { type: 'tag', values },
    })
    // Text of its ground's own colour is none of axe's violations, as it may be meant so.
    const unreadable = incomplete.map((result) => ({
      ...result,
      nodes: result.nodes.filter(({ any }) =>
        any.some(
          ({ data }: { data?: { messageKey?: string } }) => data?.messageKey === 'equalRatio',
        ),
      ),
    }))
    return [...violations, ...unreadable.filter(({ nodes }) => nodes.length > 0)]
  }, axeTags)
}

/** With `SCREENS=all` every look is in both themes, and a picture of each is kept in `e2e/screens`. */
const keepsPictures = process.env['SCREENS'] === 'all'

/** How a screen is looked at. */
interface Look {
  project: string
  colorScheme: 'light' | 'dark'
  /** Where it isn't the page's own. */
  size?: { width: number; height: number }
}

/**
 * Else a desktop is looked at in the light and a phone in the dark: only colours differ in it. What a
 * story that is `@resized` shows is looked at in both sizes.
 */
function looksOf({ project: { name: project }, tags }: TestInfo): Look[] {
  const looks: Look[] = [{ project, colorScheme: project === 'phone' ? 'dark' : 'light' }]
  if (tags.includes('@resized')) {
    looks.push({ project: 'phone', colorScheme: 'dark', size: phoneSize })
  }
  if (!keepsPictures) return looks
  return looks.flatMap((look) => [
    { ...look, colorScheme: 'light' },
    { ...look, colorScheme: 'dark' },
  ])
}

async function keepPicture(page: Page, name: string): Promise<void> {
  const modal = await page.evaluate(() => document.querySelector('dialog[open]') !== null)
  await page.screenshot({
    path: path.join(screensFolder, `${name}.jpg`),
    fullPage: !modal,
    animations: 'disabled',
    type: 'jpeg',
    quality: 70,
  })
}

/**
 * Runs in the page: text that reaches beyond the screen or out of what clips it. Rows that scroll
 * sideways, ellipses and decoration are meant so.
 */
function findCutText(): string[] {
  const found: string[] = []
  const root = document.querySelector('dialog[open]') ?? document.body
  const screenWidth = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth > screenWidth) found.push('The page scrolls sideways')
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    const text = walker.currentNode.textContent?.trim()
    if (!element?.checkVisibility() || !text) continue
    if (element.closest('script, style, option, .sr-only, .truncate, [aria-hidden="true"]'))
      continue
    const range = document.createRange()
    range.selectNodeContents(walker.currentNode)
    const { left, right, width } = range.getBoundingClientRect()
    let [from, to] = [0, screenWidth]
    let scrolls = false
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      const { overflowX } = getComputedStyle(at)
      const box = at.getBoundingClientRect()
      if (overflowX === 'auto' || overflowX === 'scroll')
        scrolls ||= at.scrollWidth > at.clientWidth
      else if (overflowX !== 'visible')
        [from, to] = [Math.max(from, box.left), Math.min(to, box.right)]
    }
    if (width > 0 && !scrolls && (left < from - 2 || right > to + 2)) found.push(text.slice(0, 80))
  }
  return found
}

/** Registers by the call behind the form, which has stories of its own, to be quick. */
async function register(page: Page): Promise<Person> {
  const person = somebody()
  await signIn(page, await registerByCall(page, person))
  await expect(page.getByText(`Welcome back, ${person.username}!`)).toBeVisible()
  await expect(balance(page)).toHaveText('1')
  return person
}

/** What a browser keeps of somebody who signed in before. */
export interface Session {
  origin: string
  token: string
}

/** Registers somebody by the call alone. */
export async function registerByCall(page: Page, person = somebody()): Promise<Session> {
  const answer = await page.request.post('/api/auth?action=register', { data: person })
  const { token } = (await answer.json()) as { token: string }
  return { origin: new URL(answer.url()).origin, token }
}

/** Opens the dashboard with a token in the browser's storage, as an earlier visit leaves it. */
export async function signIn(
  page: Page,
  { origin, token }: Session,
  stored: Record<string, string> = {},
): Promise<void> {
  // Playwright's own way of filling the storage opens a window more.
  const fill = await page.addInitScript(
    (entries) => {
      for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value)
    },
    { ...stored, [storageKeys.authToken]: token },
  )
  await page.goto(`${origin}/dashboard`)
  await fill.dispose()
}

/** Opens the landing page and waits until its program has come, which the address to write to tells. */
export async function openLanding(page: Page): Promise<void> {
  await page.goto('/')
  await expect(
    page.getByRole('contentinfo').getByRole('link', { name: 'Write to us' }),
  ).toBeVisible()
}

/**
 * A slow line: the requests that `address` names wait until the function that comes back is called.
 * Whatever a page shows in the meantime can be looked at without haste.
 */
export async function holdAnswers(
  page: Page,
  address: string | ((url: URL) => boolean),
): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Keeps from the page, until the function that comes back is called, how its picture is getting on. */
export const holdGeneration = (page: Page): Promise<() => void> =>
  holdAnswers(page, ({ pathname }) => /^\/api\/generations\/[\w-]+(?:\/events)?$/.test(pathname))

/** From the next document on a view transition is held at its beginning, until `glideTo` moves it. */
export async function holdGlides(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const start = document.startViewTransition.bind(document)
    document.startViewTransition = (update) => {
      const transition = start(update)
      // What ends it on a machine that has no time for it.
      transition.skipTransition = () => undefined
      const hold = (): void => {
        for (const animation of document.getAnimations()) {
          const { effect } = animation
          if (effect instanceof KeyframeEffect && effect.pseudoElement) animation.pause()
        }
        document.documentElement.dataset['gliding'] = ''
      }
      const end = () => delete document.documentElement.dataset['gliding']
      // One that another takes the place of is skipped.
      void transition.ready.then(hold, () => undefined)
      void transition.finished.then(end, () => undefined)
      return transition
    }
  })
}

/** Moves a view transition that is held to so many ms after its beginning; gives the names of its layers. */
export async function glideTo(page: Page, timeMs: number): Promise<readonly string[]> {
  await page.locator('[data-gliding]').waitFor()
  return await page.evaluate((ms) => {
    const layers = document.getAnimations().flatMap((animation) => {
      const { effect } = animation
      if (!(effect instanceof KeyframeEffect && effect.pseudoElement)) return []
      animation.currentTime = ms
      const layer = /^::view-transition-(?:group|old|new)\((.*)\)$/.exec(effect.pseudoElement)
      return layer?.slice(1) ?? []
    })
    return [...new Set(layers)].toSorted()
  }, timeMs)
}

/** Lets a view transition that is held end. */
export async function endGlide(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      const { effect } = animation
      if (effect instanceof KeyframeEffect && effect.pseudoElement) animation.finish()
    }
  })
  await page.locator('html:not([data-gliding])').waitFor()
}

/**
 * Stops a page's installed clock: what stands for a moment stands until `page.clock.runFor`. The
 * clock may not be stopped in its past, hence the minute ahead.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000))
}

/** The number on the card 'Available Credits'. */
export const balance = (page: Page) => page.getByTestId('balance')

/** The credits that the program counts, whatever the page shows. */
export async function creditsOnServer(page: Page): Promise<number> {
  const token = await page.evaluate(() => localStorage.getItem('auth_token'))
  const answer = await page.request.get('/api/user?action=profile', {
    headers: { authorization: `Bearer ${token}` },
  })
  const { user } = (await answer.json()) as { user: { creditsBalance: number } }
  return user.creditsBalance
}

/** Unfolds the packages, which are one line while there are credits. */
export async function unfoldPackages(page: Page): Promise<void> {
  const link = page.getByRole('heading').getByRole('link', { name: 'Get more credits' })
  await link.click()
  await expect(page.getByRole('button', { name: /^Purchase \$/ }).first()).toBeVisible()
}

/** The button that names format and look, and unfolds them. */
export const wishButton = (page: Page) => page.getByRole('button', { name: /^Format, look/ })

/** Unfolds format, look and words, after a reload too. */
export async function unfoldWishes(page: Page): Promise<void> {
  if (await page.getByLabel('Name a place').isHidden()) await wishButton(page).click()
  await expect(page.getByLabel('Name a place')).toBeVisible()
}

/** Unfolds what is done with a picture less often. */
export async function unfoldMore(within: Page | Locator): Promise<void> {
  await within.getByRole('button', { name: 'More', exact: true }).click()
}

/** Closes the result where it fills a phone's screen. */
export async function closeSheet(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog', { name: 'AI RESULT' })
  if (await sheet.isVisible()) await sheet.getByRole('button', { name: 'Close' }).click()
}

/** Chooses the user's photo and waits until the photo check has nothing against it. */
export async function chooseOwnPhoto(page: Page, file = portrait('face-2')): Promise<void> {
  await page.getByLabel('PERSON 1: Upload Photo').setInputFiles(file)
  await expect(page.getByText("Great photo. You're ready.").first()).toBeVisible()
}

export async function pickStar(page: Page, name = 'Elena Vassandri'): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

export const generateButton = (page: Page) =>
  page.getByRole('button', { name: 'Generate Celebrity Selfie' })

/** The finished picture in its frame. */
export const resultPicture = (page: Page) =>
  page.getByRole('region', { name: 'AI RESULT' }).getByRole('img', { name: /made with AI/ })

/** Where a part stands in the window and how large it is, in CSS px; waited for, as it may just be replaced. */
export async function boxOf(part: Locator): Promise<Box> {
  let box: Box | null = null
  await expect.poll(async () => (box = await part.boundingBox())).not.toBeNull()
  return box!
}

/** Somebody who has a finished selfie with Elena Vassandri, which is in the browser from an earlier visit. */
export async function ownerOfSelfie(page: Page): Promise<void> {
  const person = somebody()
  const session = await registerByCall(page, person)
  const generationId = await giveSelfie(page.request, person)
  const answer = await page.request.get(`/api/generations/${generationId}`, {
    headers: { authorization: `Bearer ${session.token}` },
  })
  const { generation } = (await answer.json()) as GenerationAnswer
  const { imageUrl } = generation
  await signIn(page, session, {
    [storageKeys.generatedImage]: JSON.stringify({ imageUrl, generationId, timestamp: Date.now() }),
  })
  await expect(resultPicture(page)).toBeVisible()
  // The star's name comes with the selfie's own data, which is read meanwhile.
  await expect(resultPicture(page)).toHaveAttribute('alt', /Elena Vassandri/)
}

/** What the program wrote so far, mails included. */
export async function programLog(): Promise<string> {
  return await readFile(process.env['STORIES_LOG'] ?? '', 'utf8')
}
