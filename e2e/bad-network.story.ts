import { openProxy, type Fate, type Proxy } from './open-proxy.ts'
import {
  balance,
  chooseOwnPhoto,
  creditsOnServer,
  expect,
  generateButton,
  pickStar,
  registerByCall,
  resultPicture,
  signIn,
  somebody,
  test as story,
  type Page,
  type Person,
} from './story.ts'

/** The program as seen through a proxy, between which and the browser anything may happen. */
const test = story.extend<{ line: Proxy }>({
  tolerated: /status of 502|ERR_EMPTY_RESPONSE|ERR_CONNECTION|ERR_INTERNET_DISCONNECTED/,
  // Playwright reads from the braces what a fixture needs.
  // oxlint-disable-next-line no-empty-pattern
  line: async ({}, give) => {
    const proxy = await openProxy(`http://127.0.0.1:${process.env['STORIES_PORT']}`)
    await give(proxy)
    await proxy.close()
  },
  baseURL: async ({ line }, give) => give(line.url),
})

/** Lets the requests whose address contains `part` meet `fate`, and all others through. */
function strike(line: Proxy, part: string, fate: Fate): void {
  line.decide = ({ path }) => (path.includes(part) ? fate : 'through')
}
const calm = (line: Proxy): void => {
  line.decide = () => 'through'
}

async function fillIn(page: Page, person: Person): Promise<void> {
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
}
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign In', exact: true })
const createAccount = async (page: Page, person: Person): Promise<void> => {
  await page.getByLabel('Username').fill(person.username)
  await fillIn(page, person)
  await page.getByLabel('Confirm password').fill(person.password)
  await page.getByRole('button', { name: 'Create Account' }).click()
}

test('signing in and up over a cut line and a dead program are distinguished @once', async ({
  page,
  line,
}) => {
  const person = somebody()
  await page.goto('/auth')
  await fillIn(page, person)
  strike(line, '/api/auth', 'cut')
  await signInButton(page).click()
  await expect(page.getByText('Login failed')).toBeVisible()
  strike(line, '/api/auth', 'upstream down')
  await signInButton(page).click()
  await expect(page.getByText('HTTP error! status: 502')).toBeVisible()
  await page.getByRole('link', { name: 'Sign up' }).click()
  strike(line, '/api/auth', 'captive portal')
  await createAccount(page, person)
  await expect(page.getByText('Registration failed')).toBeVisible()
  calm(line)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a profile that does not load after signing in is reported @once', async ({ page, line }) => {
  const person = somebody()
  await registerByCall(page, person)
  await page.goto('/auth')
  await fillIn(page, person)
  strike(line, 'action=profile', 'upstream down')
  await signInButton(page).click()
  await expect(page.getByText('Failed to load user profile')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull()
})

test('who is known only by name has no balance and no referral code yet, and is told so @once', async ({
  page,
  line,
  see,
}) => {
  await page.goto('/auth?mode=register')
  strike(line, 'action=profile', 'upstream down')
  await createAccount(page, somebody())
  await expect(page.getByText('Welcome back, ada!')).toBeVisible()
  await expect(balance(page)).toHaveText('--')

  const share = page.getByRole('button', { name: 'Share Link' })
  await expect(share).toHaveAttribute('aria-disabled', 'true')
  // A disabled look, and yet it answers who presses it.
  await share.click({ force: true })
  await expect(
    page.getByRole('alertdialog', { name: 'Your referral code is not available yet.' }),
  ).toBeVisible()
  await see('referral-unavailable')
  await page.getByRole('button', { name: 'OK', exact: true }).click()

  await chooseOwnPhoto(page)
  await pickStar(page)
  await generateButton(page).click()
  await expect(page.getByText('Failed to verify credits. Please try again.')).toBeVisible()

  await page.getByLabel('Language').selectOption('zh')
  await page.getByRole('button', { name: '分享链接' }).click({ force: true })
  await expect(
    page.getByRole('alertdialog', { name: '邀请码暂不可用，请稍后再试。' }),
  ).toBeVisible()
})

test('each break between the press of the button and the picture has its own words @once', async ({
  page,
  line,
}) => {
  await signIn(page, await registerByCall(page))
  await chooseOwnPhoto(page)
  await pickStar(page)
  const failWith = async (text: string | RegExp): Promise<void> => {
    await generateButton(page).click()
    await expect(page.getByText(text)).toBeVisible()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(generateButton(page)).toBeEnabled()
  }
  strike(line, 'action=consume-credits', 'cut')
  await failWith('Failed to process credit deduction. Please try again.')
  strike(line, 'action=consume-credits', 'upstream down')
  await failWith('HTTP error! status: 502')
  strike(line, 'action=consume-credits', 'captive portal')
  await failWith('Failed to consume credits')

  // The credit is put aside, then the photos meet a bad line; tried again, it is not paid twice.
  strike(line, 'action=generate', 'cut')
  await failWith(/^Generation failed: Proxy request failed: /)
  calm(line)
  await generateButton(page).click()
  await expect(resultPicture(page)).toBeVisible()
  await page.reload()
  await expect(balance(page)).toHaveText('0')
})

test.describe('behind a proxy', () => {
  for (const [fate, text] of [
    ['upstream down', 'Generation failed: Backend proxy failed: 502'],
    ['captive portal', 'Failed to generate celebrity selfie. Please try again.'],
  ] as const) {
    test(`photos that meet "${fate}" are answered with "${text}" @once`, async ({ page, line }) => {
      await signIn(page, await registerByCall(page))
      await chooseOwnPhoto(page)
      await pickStar(page)
      strike(line, 'action=generate', fate)
      await generateButton(page).click()
      await expect(page.getByText(text)).toBeVisible()
    })
  }
})

test('a part that cannot be loaded while the connection is lost comes once it is back @once', async ({
  page,
  newcomer,
}) => {
  // As wide as that, the packages are folded at first.
  await page.setViewportSize({ width: 1024, height: 860 })
  await newcomer()
  await page.context().setOffline(true)
  const packages = page.getByRole('region', { name: 'Get more credits' })
  await packages.getByRole('link', { name: 'Get more credits' }).click()
  await expect(packages.getByText('Loading...')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('button', { name: 'Purchase $10' })).toBeVisible()
})

test('who leaves during the upload gets the credit back at once and is told so @once', async ({
  page,
  line,
  newcomer,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  let asked = 0
  line.decide = ({ path }) => {
    if (!path.includes('action=generate')) return 'through'
    asked += 1
    return 'held'
  }
  await generateButton(page).click()
  await expect(page.getByText('Sending your photos. Please keep this page open.')).toBeVisible()
  await expect(page.getByText(/You can leave this page/)).toBeHidden()
  await expect.poll(() => asked).toBe(1)
  expect(await creditsOnServer(page)).toBe(0)
  await page.reload()
  await expect(page.getByText('Your upload was interrupted. Your credit is back.')).toBeVisible()
  await expect(balance(page)).toHaveText('1')
  expect(await creditsOnServer(page)).toBe(1)
  await page.reload()
  await expect(page.getByText('No selfies yet.')).toBeVisible()
  await expect(page.getByText('Your upload was interrupted.'), 'it is reported once').toBeHidden()
})
