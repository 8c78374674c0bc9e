import {
  expect,
  fixture,
  holdAnswers,
  type Locator,
  openLanding,
  portrait,
  somebody,
  test,
} from './story.ts'
import { expectReadable } from './visible-states.ts'

test('the signed-out button works its magic for two seconds and then opens the registration @once', async ({
  page,
}) => {
  await page.clock.install({ time: '2026-11-01T10:00:00Z' })
  await openLanding(page)
  await page.clock.pauseAt('2026-11-01T11:00:00Z')
  await page.getByRole('button', { name: "Try Now - It's Free!" }).first().click()
  await expectReadable(page.getByRole('button', { name: 'Processing Magic...' }))
  await page.clock.runFor(1_900)
  await expect(page).toHaveURL(/\/$/)
  await page.clock.runFor(200)
  await expect(page).toHaveURL(/\/auth\?mode=register$/)
})

test('every promised part stands on the page, and the footer leads out', async ({ page }) => {
  await page.goto('/')
  for (const name of ['Live Example', 'Easy to Use', 'High Quality', 'Share & Enjoy']) {
    await expect(page.getByRole('heading', { name })).toBeVisible()
  }
  for (const caption of ['Your photo', 'Celebrity photo', 'AI result']) {
    await expect(page.getByRole('figure').filter({ hasText: caption })).toBeVisible()
  }
  await expect(page.getByText('No credit card required. 1 free credit on signup.')).toBeVisible()
  await expect(page.getByText('More selfies: 100 for $10.')).toBeVisible()
  const closing = page.getByRole('region', { name: "Now it's your turn." })
  const again = closing.getByRole('button', { name: "Try Now - It's Free!" })
  await expect(again).toBeVisible()
  const isBeside = await again.evaluate((one) => one.getBoundingClientRect().left > innerWidth / 2)
  expect(isBeside, 'on a wide page the way on fills its right half').toBe(
    (page.viewportSize()?.width ?? 0) >= 1280,
  )
  const footer = page.getByRole('contentinfo')
  for (const name of ['Follow us on X', 'Write to us', 'Community chat']) {
    await expect(footer.getByRole('link', { name })).toBeVisible()
  }
  await page.getByRole('link', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await expect(
    page.getByRole('contentinfo').getByRole('link', { name: 'Write to us' }),
  ).toBeVisible()
})

test('each link of the footer stands on one line, however wide the screen is @once', async ({
  page,
}) => {
  await openLanding(page)
  const links = page.getByRole('contentinfo').getByRole('link')
  for (const width of [360, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 860 })
    const broken = await links.evaluateAll((all) =>
      all.filter((link) => link.clientHeight > 44).map((link) => link.textContent),
    )
    expect(broken, `${width} px wide`).toEqual([])
  }
})

test('a sample face and a star are chosen, and the finished picture of the two is there, loaded only then @resized', async ({
  page,
  see,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const [, pair] = /examples\/(.+)\/result-/.exec(request.url()) ?? []
    if (pair !== undefined) asked.push(pair)
  })
  await openLanding(page)
  const example = page.getByRole('region', { name: 'Live Example' })
  const result = example.getByRole('img', { name: /together in one selfie/ })
  await expect(result).toHaveAccessibleName(/Henrik Solmark/)
  await example.getByRole('img', { name: 'Sample face 4' }).click()
  await example.getByRole('img', { name: 'Mina Asakuri', exact: true }).click()
  await expect(result).toHaveAccessibleName(/Mina Asakuri/)
  await expect
    .poll(() => result.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth))
    .toBeGreaterThan(0)
  expect(asked).toEqual(['face-4/henrik-solmark', 'face-4/mina-asakuri'])
  await expect(example.getByRole('img', { name: 'Your photo' })).toHaveAttribute('src', /face-4/)
  await expect(example.getByRole('img', { name: 'Celebrity photo' })).toHaveAttribute('src', /mina/)
  await expect(example.getByText('Starside', { exact: true })).toBeVisible()
  await expect(example.getByText('Free selfies carry this watermark.')).toBeVisible()
  await expect(example.getByText('All people shown are AI-generated.')).toBeVisible()
  await example.getByRole('radio', { name: 'Mina Asakuri' }).press('ArrowRight')
  await expect(result).toHaveAccessibleName(/Rafael Montoriva/)
  await see('landing-tried')
  const missing = await page.evaluate(() =>
    [...document.images].filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src),
  )
  expect(missing).toEqual([])
})

test('on a phone the selfie stays in sight while a star is chosen below it @once', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 664 })
  await openLanding(page)
  await page.getByRole('img', { name: 'Mina Asakuri', exact: true }).click()
  const result = page.getByRole('img', { name: /together in one selfie/ })
  await expect(result).toHaveAccessibleName(/Mina Asakuri/)
  await expect(result).toBeInViewport({ ratio: 0.6 })
  // A low window has no room for both.
  await page.setViewportSize({ width: 390, height: 400 })
  const stars = page.getByRole('group', { name: 'Pick a star' })
  await stars.evaluate((choices) => choices.scrollIntoView())
  await expect(result).not.toBeInViewport()
})

test('the star that was tried and a face of one’s own are chosen in the studio of who registers @resized', async ({
  page,
  see,
}) => {
  await openLanding(page)
  await page.getByRole('img', { name: 'Mina Asakuri', exact: true }).click()
  const own = page.getByLabel('Use your own face')
  const signUp = page.getByRole('button', { name: 'Sign up to make this selfie' })
  await own.setInputFiles(fixture('curtain.jpg'))
  await expect(page.getByText('No face was found.')).toBeVisible()
  await expect(signUp).toBeHidden()
  const example = page.getByRole('region', { name: 'Live Example' })
  await own.setInputFiles(portrait('face-2'))
  await expect(page.getByText("Great photo. You're ready.")).toBeVisible()
  const picture = example.getByRole('img', { name: 'Your photo', exact: true })
  await expect(picture, 'their own face').toHaveAttribute('src', /^blob:/)
  await expect(example.getByText('AI result'), 'no result of theirs').toBeHidden()
  await expect(example.getByRole('img', { name: /one selfie/ }), 'nor the sample’s').toBeHidden()
  await expect(example.getByRole('radio', { name: 'Sample face', checked: true })).toBeHidden()
  const widthOf = (part: Locator) => part.evaluate((element) => element.clientWidth)
  const print = example.getByRole('img', { name: 'Celebrity photo' })
  expect(await widthOf(picture), 'a print beside the star').toBe(await widthOf(print))
  const gap = await print.evaluate((small) => {
    const large = small.closest('section')!.querySelector('figure')!
    return small.getBoundingClientRect().top - large.getBoundingClientRect().bottom
  })
  expect(gap, 'the print overlaps the picture').toBeLessThan(0)
  const large = await widthOf(example.locator('figure').first())
  expect(await widthOf(picture), 'both large').toBeGreaterThan(0.4 * large)
  await see('landing-own-face')
  await signUp.click()
  await expect(page).toHaveURL(/\/auth\?mode=register$/)
  await expect(page.getByText('Your photo and Mina Asakuri are waiting for you.')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('radio', { name: 'Mina Asakuri' }), 'kept').toBeChecked()
  await own.setInputFiles(portrait('face-2'))
  await expect(signUp).toBeVisible()
  await page.getByRole('button', { name: "Try Now - It's Free!" }).first().click()
  await expect(page).toHaveURL(/\/auth\?mode=register$/)
  await expect(page.getByText('Your photo and Mina Asakuri are waiting for you.')).toBeVisible()
  const { username, email, password } = somebody()
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  const star = page.getByRole('button', { name: 'Mina Asakuri', exact: true })
  await expect(star).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('img', { name: 'Your photo', exact: true })).toBeVisible()
})

for (const [width, height] of [
  [1440, 900],
  [1366, 768],
  [390, 844],
  [360, 780],
] as const) {
  test(`at ${width} by ${height} an own face, its verdict and the way on are seen together @once`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height })
    await openLanding(page)
    const field = page.getByText('Use your own face')
    await field.scrollIntoViewIfNeeded()
    const isDesk = width > 1024
    if (isDesk) expect(await page.evaluate(() => scrollY), 'on the first screen').toBe(0)
    await page.getByLabel('Use your own face').setInputFiles(portrait('face-2'))
    const signUp = page.getByRole('button', { name: 'Sign up to make this selfie' })
    const picture = page.getByRole('img', { name: 'Your photo', exact: true })
    for (const part of [signUp, picture, field, page.getByText("Great photo. You're ready.")]) {
      // The browser rounds what it says of a print, which is turned.
      await expect(part).toBeInViewport({ ratio: 0.9999 })
    }
    if (isDesk) expect(await page.evaluate(() => scrollY), 'not scrolled').toBe(0)
    const mark = page.locator('figure > span[aria-hidden]').first()
    await expect(mark, 'of the sample alone').toBeHidden()
  })
}

test('the page can be read without any script @once', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(baseURL ?? '')
  await expect(page.getByRole('heading', { name: 'Stand next to anyone.' })).toBeVisible()
  await expect(page.getByRole('img', { name: /one selfie/ })).toBeVisible()
  await context.close()
})

test('who reads on before the page’s program has come stays where they are, and their press counts @once', async ({
  page,
}) => {
  const bringProgram = await holdAnswers(page, ({ pathname }) => pathname.endsWith('.js'))
  await page.goto('/', { waitUntil: 'commit' })
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('link', { name: 'Verify a picture' }).hover()
  await page.mouse.down()
  bringProgram()
  // The address comes with the settings, which the program asks for.
  await expect(footer.getByRole('link', { name: 'Write to us' })).toBeVisible()
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0)
  await page.mouse.up()
  await expect(page.getByRole('dialog', { name: 'Verify a picture' })).toBeVisible()
})

test('what is chosen before the page’s program has come counts once it is there @once', async ({
  page,
}) => {
  const bringProgram = await holdAnswers(page, ({ pathname }) => pathname.endsWith('.js'))
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('img', { name: 'Sample face 2' }).click()
  await page.getByLabel('Theme').selectOption('dark')
  await page.getByLabel('Language').selectOption('es')
  bringProgram()
  await expect(page.getByRole('link', { name: 'Iniciar sesión' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByRole('img', { name: 'Tu foto' })).toHaveAttribute('src', /face-2/)
})

test('the main button is pressed before the page’s program has come, and leads on once it is there @once', async ({
  page,
}) => {
  const bringProgram = await holdAnswers(page, ({ pathname }) => pathname.endsWith('.js'))
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('button', { name: "Try Now - It's Free!" }).first().click()
  bringProgram()
  await expect(page).toHaveURL(/\/auth\?mode=register$/)
})

test('the language follows the browser, and the choice is kept @resized', async ({
  browser,
  baseURL,
  see,
}) => {
  const context = await browser.newContext({ locale: 'es-MX', baseURL: baseURL ?? '' })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  await expect(page.getByRole('button', { name: 'Pruébalo: ¡es gratis!' }).first()).toBeVisible()
  await see('landing-es', page)
  await page.getByLabel('Idioma').selectOption('zh')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans')
  await see('landing-zh', page)
  await page.goto('/auth')
  await expect(page.getByRole('heading', { name: '欢迎回来' })).toBeVisible()
  await see('sign-in-zh', page)
  await context.close()
})

test.describe('with parts that do not load', () => {
  test.use({ tolerated: /ERR_FAILED/ })

  test('a language whose texts are missing is told, and nothing changes @once', async ({
    page,
  }) => {
    await page.route('**/assets/*.es-*.js', (route) => route.abort())
    await openLanding(page)
    await page.getByLabel('Language').selectOption('es')
    await expect(page.getByRole('alert')).toHaveText(
      'The texts could not be loaded. Check your connection and choose again.',
    )
    await expect(page.getByLabel('Language')).toHaveValue('en')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })

  test('a page goes on where its service worker is not taken @once', async ({ page }) => {
    await page.addInitScript(() => {
      navigator.serviceWorker.register = () => Promise.reject(new Error('not here'))
    })
    const told = page.waitForEvent('console', {
      predicate: (message) => message.text().startsWith('The service worker was not loaded.'),
    })
    await page.goto('/')
    await told
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
})

test('the theme can be chosen and is there before the first paint of the next visit @once', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByLabel('Theme').selectOption('dark')
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(23, 9, 10)')
  await page.reload({ waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByLabel('Theme')).toHaveValue('dark')
  await page.getByLabel('Theme').selectOption('system')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('theme'))).toBeNull()
})

test('nothing is asked of any other host @once', async ({ page, baseURL }) => {
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).origin))
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  expect([...hosts]).toEqual([new URL(baseURL ?? '').origin])
})
