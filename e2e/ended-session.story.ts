import {
  balance,
  chooseOwnPhoto,
  expect,
  holdAnswers,
  pickStar,
  registerByCall,
  somebody,
  test,
  unfoldWishes,
} from './story.ts'

test.use({ tolerated: /status of 401/ })

test('signing out reaches every tab @once', async ({ page, context, newcomer }) => {
  await newcomer()
  const other = await context.newPage()
  await other.goto('/dashboard')
  await expect(balance(other)).toHaveText('1')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(other).toHaveURL(/\/auth$/)
  await expect(other.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect(other.getByText('Welcome back, ada!')).toBeHidden()
})

test('a session that the server ended offers the sign-in, and keeps what was chosen @once', async ({
  page,
  newcomer,
}) => {
  const person = await newcomer()
  await chooseOwnPhoto(page)
  // What is asked ahead of the press would find the session ended before it.
  const prepared = page.waitForResponse(/action=prepare/)
  await pickStar(page)
  await prepared
  await unfoldWishes(page)
  await page.getByLabel('Name a place').fill('warm evening light')
  const token = await page.evaluate(() => localStorage.getItem('auth_token'))
  await page.request.post('/api/auth?action=logout', {
    headers: { authorization: `Bearer ${token}` },
  })
  await page.getByRole('button', { name: 'Generate Celebrity Selfie' }).click()
  await expect(page.getByText(/^You were signed out\. Sign in again/)).toBeVisible()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('img', { name: 'Your photo' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Elena Vassandri', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await unfoldWishes(page)
  await expect(page.getByLabel('Name a place')).toHaveValue('warm evening light')
  await expect(page.getByRole('button', { name: 'Generate Celebrity Selfie' })).toBeEnabled()
})

test('who signs out takes what was chosen along @once', async ({ page, newcomer }) => {
  const person = await newcomer()
  await chooseOwnPhoto(page)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(balance(page)).toHaveText('1')
  await expect(page.getByRole('img', { name: 'Your photo' })).toBeHidden()
})

test('a late answer to somebody who signed out does not end the session of who signed in next @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  const next = { ...somebody(), username: 'grace' }
  await registerByCall(page, next)
  const token = await page.evaluate(() => localStorage.getItem('auth_token'))
  await page.request.post('/api/auth?action=logout', {
    headers: { authorization: `Bearer ${token}` },
  })
  const isSignOut = ({ search }: URL) => search === '?action=logout'
  const answerLate = await holdAnswers(page, isSignOut)
  const refused = page.waitForResponse((answer) => isSignOut(new URL(answer.url())))
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await page.getByLabel('Email').fill(next.email)
  await page.getByLabel('Password', { exact: true }).fill(next.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByText('Welcome back, grace!')).toBeVisible()
  answerLate()
  expect((await refused).status()).toBe(401)
  await page.reload()
  await expect(page.getByText('Welcome back, grace!')).toBeVisible()
})
