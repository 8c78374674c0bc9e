import { readFile } from 'node:fs/promises'
import { expect, test } from './story.ts'

test.use({ tolerated: /status of 40\d/ })

test('the account page changes the password, lists sessions, exports, and deletes everything @resized', async ({
  page,
  see,
  newcomer,
}) => {
  const person = await newcomer()
  await page.getByRole('link', { name: 'Account' }).click()
  await expect(page.getByText(`Signed in as ${person.email}`)).toBeVisible()
  await expect(page.getByText('this device')).toBeVisible()
  await see('account')

  await page.getByLabel('Current password').fill('wrong-one')
  await page.getByLabel('New password', { exact: true }).fill('another-2')
  await page.getByLabel('Confirm the new password').fill('another-2')
  await page.getByRole('button', { name: 'Save the new password' }).click()
  await expect(page.getByText('The current password is wrong.')).toBeVisible()
  await page.getByLabel('Current password').fill(person.password)
  await page.getByRole('button', { name: 'Save the new password' }).click()
  await expect(page.getByText(/^Your password is changed\./)).toBeVisible()
  await page.reload()
  await expect(page.getByText(`Signed in as ${person.email}`)).toBeVisible()

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const file = await (await saved).path()
  expect(await readFile(file, 'utf8')).toContain(person.email)

  await page.getByRole('button', { name: 'Delete my account and pictures' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete everything?' })
  await see('account-delete')
  await dialog.getByLabel('Current password').fill('wrong-one')
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect(dialog.getByText('The current password is wrong.')).toBeVisible()
  await dialog.getByLabel('Current password').fill('another-2')
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill('another-2')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByText('Wrong email or password.')).toBeVisible()
})

test('signing out everywhere ends the session of another device at its next call @once', async ({
  page,
  newcomer,
  browser,
  baseURL,
}) => {
  const person = await newcomer()
  const elsewhere = await browser.newContext({ baseURL: baseURL ?? '' })
  const other = await elsewhere.newPage()
  await other.goto('/auth')
  await other.getByLabel('Email').fill(person.email)
  await other.getByLabel('Password', { exact: true }).fill(person.password)
  await other.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(other).toHaveURL(/\/dashboard$/)
  await page.getByRole('link', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  // The other device may have asked for something by itself and be there already.
  await other.goto('/dashboard')
  await expect(other).toHaveURL(/\/auth$/)
  await expect(other.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await elsewhere.close()
})
