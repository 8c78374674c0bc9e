import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import {
  expect,
  registerByCall,
  signIn,
  somebody,
  test,
  unfoldPackages,
  type Page,
  type Person,
} from './story.ts'

test.use({ tolerated: /status of 4\d\d/ })

async function trySigningIn(page: Page, person: Person): Promise<void> {
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

test('after many wrong passwords even the right one has to wait @once', async ({ page }) => {
  const person = somebody()
  await registerByCall(page, person)
  for (let failures = 0; failures < 10; failures += 1) {
    const answer = await page.request.post('/api/auth?action=login', {
      data: { email: person.email, password: `wrong-${failures}` },
    })
    expect(answer.status()).toBe(401)
  }
  await page.goto('/auth')
  await trySigningIn(page, person)
  await expect(page.getByText(/^Too many failed sign-ins\. Please wait 15 minutes/)).toBeVisible()
})

test('a suspended account is told so where it works and where it signs in @once', async ({
  page,
}) => {
  const person = somebody()
  const session = await registerByCall(page, person)
  await signIn(page, session)
  await expect(page.getByText('Welcome back, ada!')).toBeVisible()
  await admin('user', 'suspend', person.email, '--reason', 'reported twice')
  await unfoldPackages(page)
  await page.getByRole('button', { name: 'Purchase $10' }).click()
  await expect(
    page.getByRole('alertdialog', { name: 'Failed to start payment process. Please try again.' }),
  ).toBeVisible()
  await page.reload()
  await expect(page).toHaveURL(/\/auth$/)
  await trySigningIn(page, person)
  await expect(page.getByText('This account is suspended.')).toBeVisible()
})

/** One command of the operator's, on the program that the stories run against. */
async function admin(...words: string[]): Promise<void> {
  const program = path.join(import.meta.dirname, '../server/src/admin.ts')
  const env = { ...process.env, DATA_DIR: process.env['STORIES_DATA'] ?? '' }
  await promisify(execFile)(process.execPath, [program, ...words], { env })
}
