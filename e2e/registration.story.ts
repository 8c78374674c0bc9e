import { copiedStateMs, landingRedirectDelayMs } from '@starside/contract/limits.ts'
import { balance, expect, somebody, stopClock, test, type Page } from './story.ts'

async function fill(
  page: Page,
  values: Partial<Record<'username' | 'email' | 'password' | 'confirm', string>>,
) {
  if (values.username !== undefined) await page.getByLabel('Username').fill(values.username)
  if (values.email !== undefined) await page.getByLabel('Email').fill(values.email)
  if (values.password !== undefined) {
    await page.getByLabel('Password', { exact: true }).fill(values.password)
  }
  if (values.confirm !== undefined) await page.getByLabel('Confirm password').fill(values.confirm)
}

test('the form names its faults one by one, in the order of the rules @resized', async ({
  page,
  see,
}) => {
  const { email } = somebody()
  await page.goto('/auth')
  await page.getByRole('link', { name: 'Sign up' }).click()
  const submit = page.getByRole('button', { name: 'Create Account' })
  const alert = page.getByRole('alert')
  /** The fields that are marked by a colour of their own beside that of one which nobody has touched. */
  const marked = async () => {
    const fields = await page
      .locator('form .field')
      .evaluateAll((all) =>
        all.map((field) => ({ id: field.id, colour: getComputedStyle(field).borderBottomColor })),
      )
    const usual = fields.at(-1)?.colour
    return fields.flatMap(({ id, colour }) => (colour === usual ? [] : [id]))
  }
  await fill(page, { username: 'ab', email: 'ada', password: '12345', confirm: '12345' })
  await page.getByLabel('Confirm password').blur()
  expect(await marked(), 'all of them before anything is sent').toEqual([
    'username',
    'email',
    'password',
  ])
  await fill(page, { username: 'abc', email: 'ada@a.example', password: '123456' })
  expect(await marked(), 'no longer than they are wrong').toEqual([])
  await fill(page, { username: 'ab', email: '', password: '12345', confirm: 'other' })
  await submit.click()
  await expect(alert).toHaveText('All fields are required')
  await see('register-fault')
  await fill(page, { email })
  await expect(alert).toHaveText('')
  await submit.click()
  await expect(alert).toHaveText('Passwords do not match')
  await fill(page, { confirm: '12345' })
  await submit.click()
  await expect(alert).toHaveText('Password must be at least 6 characters')
  await fill(page, { password: '123456', confirm: '123456' })
  await submit.click()
  await expect(alert).toHaveText('Username must be at least 3 characters')
  await fill(page, { username: 'abc' })
  await submit.click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a friend\u2019s link carries the code to the form, and both sides see the referral @resized', async ({
  page,
  see,
  newcomer,
  browser,
}) => {
  await page.clock.install()
  await newcomer()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await stopClock(page)
  await page.getByRole('button', { name: 'Share Link' }).click()
  await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/\/\?ref=[A-Z0-9]{8}$/)
  await page.clock.runFor(copiedStateMs)
  await expect(page.getByRole('button', { name: 'Share Link' })).toBeVisible()
  await page.clock.resume()

  const elsewhere = await browser.newContext()
  const friend = await elsewhere.newPage()
  await friend.clock.install()
  await friend.goto(link)
  await stopClock(friend)
  await friend.getByRole('button', { name: "Try Now - It's Free!" }).first().click()
  await expect(friend.getByRole('button', { name: 'Processing Magic...' }).first()).toBeVisible()
  await friend.clock.runFor(landingRedirectDelayMs)
  await friend.clock.resume()
  await expect(friend).toHaveURL(/\/auth\?mode=register&ref=[A-Z0-9]{8}$/)
  await expect(friend.getByText("You'll get bonus credits from the referral!")).toBeVisible()
  await expect(friend.getByLabel('Referral code')).toBeHidden()
  await see('register-referral', friend)
  const { username, email, password } = somebody()
  await fill(friend, { username, email, password, confirm: password })
  await friend.getByRole('button', { name: 'Create Account' }).click()
  await expect(balance(friend)).toHaveText('3')
  await friend.getByRole('button', { name: 'Credit history' }).click()
  await expect(friend.getByText('Referral bonus')).toBeVisible()
  await elsewhere.close()

  await page.reload()
  const card = page.getByRole('region', { name: 'Referral Program' })
  await expect(card.getByText('1', { exact: true })).toBeVisible()
})

test.describe('with refused calls', () => {
  test.use({ tolerated: /status of 4\d\d/ })

  test('an unknown code shows its field again; a taken address is reported @resized', async ({
    page,
    see,
    newcomer,
  }) => {
    const known = await newcomer()
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await page.goto('/auth?ref=NOSUCHCO')
    await fill(page, { ...somebody(), confirm: 'secret-1' })
    await expect(page.getByLabel('Referral code')).toBeHidden()
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByRole('alert')).toHaveText(/This referral code does not exist/)
    await expect(page.getByLabel('Referral code')).toHaveValue('NOSUCHCO')
    await see('register-unknown-code')
    await page.getByLabel('Referral code').fill('')
    await fill(page, { email: known.email })
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByRole('alert')).toHaveText('An account with this email already exists.')
  })
})

test.describe('past the limit of a network', () => {
  test.use({ tolerated: /status of 429/ })

  test('the browser works for a moment, and the account is there @once', async ({ page }) => {
    const { username, email, password } = somebody()
    const proofs: (string | undefined)[] = []
    // The program of these stories takes many accounts of one address: its first answer is made up,
    // the challenge, the browser's work and the server's check of it are real.
    await page.route('**/api/auth?action=register', async (route) => {
      const body = route.request().postDataJSON() as { proof?: string }
      proofs.push(body.proof)
      if (body.proof !== undefined) return route.continue()
      return route.fulfill({
        status: 429,
        json: { success: false, code: 'proof_required', error: 'Please try again.' },
      })
    })
    await page.goto('/auth?mode=register')
    await fill(page, { username, email, password, confirm: password })
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    expect(proofs).toEqual([undefined, expect.stringMatching(/^18\.\d{13}\./)])
  })
})
