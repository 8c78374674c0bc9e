import { expect, openLanding, ownerOfSelfie, pickStar, test } from './story.ts'
import { expectVisibleStates } from './visible-states.ts'

test('whatever can be pressed stays readable under the mouse, and shows the focus @once', async ({
  page,
}) => {
  await openLanding(page)
  await expectVisibleStates(page, 'the landing page')
  await page.goto('/auth?mode=register')
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeVisible()
  await expectVisibleStates(page, 'the registration')
  await ownerOfSelfie(page)
  await expectVisibleStates(page, 'the dashboard')
  await page.getByRole('button', { name: /^Selfie with Elena Vassandri/ }).click()
  await expect(page.getByRole('dialog').getByText('with watermark')).toBeVisible()
  await expectVisibleStates(page, 'a selfie of the gallery')
  await page.goto('/dashboard?view=account')
  await expect(page.getByRole('button', { name: 'Delete my account and pictures' })).toBeVisible()
  await expectVisibleStates(page, 'the account')
})

test('a touch leaves no colour of the mouse behind @windows', async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await page.goto('/auth')
  const button = page.getByRole('button', { name: 'Sign In' })
  const colour = () => button.evaluate((one) => getComputedStyle(one).backgroundColor)
  const before = await colour()
  await button.tap()
  const hovers = () => button.evaluate((one) => one.matches(':hover'))
  await expect.poll(hovers, 'the touch hovers').toBe(true)
  await expect.poll(colour).toBe(before)
  await context.close()
})

test('a button under the mouse looks unlike one that is chosen @once', async ({ page }) => {
  await ownerOfSelfie(page)
  await page.getByRole('button', { name: 'Adjust', exact: true }).click()
  const flip = page.getByRole('dialog', { name: 'Adjust' }).getByRole('button', { name: 'Flip' })
  await flip.hover()
  await expect(flip).toHaveCSS('background-color', 'rgb(74, 66, 59)')
  await flip.click()
  await expect(flip).toHaveAttribute('aria-pressed', 'true')
  await expect(flip, 'the mouse is over it still').not.toHaveCSS(
    'background-color',
    'rgb(74, 66, 59)',
  )
})

test('forced colours show which star is chosen @once', async ({ page, newcomer }) => {
  await newcomer()
  await page.emulateMedia({ forcedColors: 'active' })
  await pickStar(page)
  const outlineOf = (name: string) =>
    page
      .getByRole('button', { name, exact: true })
      .evaluate((button) => getComputedStyle(button).outlineStyle)
  expect([await outlineOf('Elena Vassandri'), await outlineOf('Mina Asakuri')]).toEqual([
    'solid',
    'none',
  ])
  const badge = page.getByRole('region', { name: 'PERSON 2' }).getByText('STAR', { exact: true })
  expect(await badge.evaluate((one) => getComputedStyle(one).borderTopStyle)).toBe('solid')
})

test('every new page gives the focus to its heading and its name to the tab @once', async ({
  page,
}) => {
  await page.goto('/auth')
  await page.getByRole('link', { name: 'Sign up' }).click()
  const heading = page.getByRole('heading', { name: 'Create your account' })
  await expect(heading).toBeFocused()
  await expect(page).toHaveTitle('Create your account')
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeFocused()
  const id = Date.now().toString(36)
  await page.goto('/auth?mode=register')
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Email').fill(`focus-${id}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('secret-1')
  await page.getByLabel('Confirm password').fill('secret-1')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('heading', { name: 'Starside Dashboard' })).toBeFocused()
  await page.getByRole('link', { name: 'Account' }).click()
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeFocused()
})

test('the first Tab leads past the header, and links within a page take the focus along @once', async ({
  page,
  newcomer,
}) => {
  await page.goto('/')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await newcomer()
  await page.getByRole('link', { name: 'See your selfies' }).press('Enter')
  const selfies = page.getByRole('region', { name: 'Your selfies' })
  await expect(selfies).toBeFocused()
  await expect(selfies).toBeInViewport()
})
