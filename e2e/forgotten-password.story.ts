import { expect, programLog, test } from './story.ts'

test.use({ tolerated: /status of 400/ })

test('a forgotten password is replaced by way of a mailed link @resized', async ({
  page,
  see,
  newcomer,
}) => {
  const person = await newcomer()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  // The form before it has a field of the same name.
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeFocused()
  await page.getByLabel('Email').fill(person.email)
  await see('forgot-password')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText('whoever runs the site sees its link in the terminal.')).toBeVisible()
  await see('forgot-password-sent')

  const link = await mailedLink(person.email)
  await page.goto(link)
  await page.getByLabel('New password').fill('another-2')
  await page.getByLabel('Confirm password').fill('another-3')
  await page.getByRole('button', { name: 'Save the new password' }).click()
  await expect(page.getByRole('alert')).toHaveText('Passwords do not match')
  await page.getByLabel('Confirm password').fill('another-2')
  await see('reset-password')
  await page.getByRole('button', { name: 'Save the new password' }).click()
  await expect(page.getByText('Your new password is set. Sign in with it.')).toBeVisible()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill('another-2')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.goto(link)
  await page.getByLabel('New password').fill('another-4')
  await page.getByLabel('Confirm password').fill('another-4')
  await page.getByRole('button', { name: 'Save the new password' }).click()
  await expect(page.getByRole('alert')).toHaveText(/This reset link is no longer valid/)
})

async function mailedLink(email: string): Promise<string> {
  let link = ''
  await expect
    .poll(async () => {
      const mail = (await programLog()).split(`Mail to ${email}`)[1] ?? ''
      link = /https?:\/\/\S+mode=reset\S+/.exec(mail)?.[0] ?? ''
      return link
    })
    .not.toBe('')
  return link
}
