import { expect, holdAnswers, somebody, test } from './story.ts'

test.describe('with refused calls', () => {
  test.use({ tolerated: /status of 401/ })

  test('signing in: a wrong password is reported in a red box that goes away with typing @resized', async ({
    page,
    see,
    newcomer,
  }) => {
    const person = await newcomer()
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL(/\/auth$/)
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await see('sign-in')
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill('not-the-one')
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(page.getByText('Wrong email or password.')).toBeVisible()
    await see('sign-in-refused')
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await expect(page.getByText('Wrong email or password.')).toBeHidden()
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('nothing is sent while a field is empty @once', async ({ page }) => {
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url())
    })
    await page.goto('/auth')
    // Even where the browser does not hold the form back by itself.
    await page.locator('form').evaluate((form: HTMLFormElement) => (form.noValidate = true))
    const submit = page.getByRole('button', { name: 'Sign In', exact: true })
    await submit.click()
    await page.getByLabel('Email').fill(somebody().email)
    await submit.click()
    await page.getByLabel('Email').fill('')
    await page.getByLabel('Password', { exact: true }).fill('secret-1')
    await page.keyboard.press('Enter')
    expect(sent).toEqual([])
    await page.getByLabel('Email').fill(somebody().email)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Wrong email or password.')).toBeVisible()
    expect(sent).toHaveLength(1)
  })

  test('a stored token that no longer serves is removed and its owner signed out @once', async ({
    page,
  }) => {
    await page.goto('/')
    await page.evaluate(() => localStorage.setItem('auth_token', 'expired'))
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/auth$/)
    expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull()
  })
})

test('who came for a page behind the sign-in gets there after it, and every other path leads home @once', async ({
  page,
  newcomer,
}) => {
  const person = await newcomer()
  await page.goto('/auth')
  await expect(page, 'a signed-in visitor has no business there').toHaveURL(/\/dashboard$/)
  await page.goto('/some/where/else')
  await expect(page).toHaveURL(/\/#unknown-page$/)
  await expect(page.getByRole('alert')).toHaveText('This page does not exist.')
  await expect(page.getByRole('link', { name: 'Dashboard (ada)' })).toBeVisible()
  await page.getByRole('button', { name: 'Start Creating' }).first().click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await page.goto('/dashboard?view=account')
  await expect(page).toHaveURL(/\/auth$/)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard\?view=account$/)
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
})

test('while the session is being checked, the whole screen says Loading... @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  const answer = await holdAnswers(page, '**/api/user?action=profile')
  for (const path of ['/dashboard', '/']) {
    await page.goto(path)
    await expect(page.getByText('Loading...')).toBeVisible()
  }
  const opacities = await page.getByText('Loading...').evaluate((words) =>
    [words, words.previousElementSibling as HTMLElement].flatMap((shown) => {
      shown.style.animation = 'none'
      shown.getBoundingClientRect()
      shown.style.animation = ''
      const late = shown
        .getAnimations()
        .find((one) => 'animationName' in one && one.animationName === 'appear')
      late?.pause()
      return [199, 201].map((ms) => {
        if (late) late.currentTime = ms
        return getComputedStyle(shown).opacity
      })
    }),
  )
  expect(opacities, 'what takes but a moment shows neither words nor reel').toEqual([
    '0',
    '1',
    '0',
    '1',
  ])
  answer()
  await expect(page.getByText('Loading...')).toBeHidden()
})
