import { readFile } from 'node:fs/promises'
import { installedApp } from '@starside/contract/installed-app.ts'
import {
  balance,
  expect,
  holdAnswers,
  ownerOfSelfie,
  type Page,
  type Person,
  portrait,
  registerByCall,
  resultPicture,
  somebody,
  test,
} from './story.ts'

test.use({ serviceWorkers: 'allow', tolerated: /ERR_FAILED|ERR_INTERNET_DISCONNECTED/ })

async function signInByForm(page: Page, person: Person): Promise<void> {
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

const keptDatabases = async (page: Page): Promise<string[]> =>
  await page.evaluate(async () =>
    (await indexedDB.databases()).map(({ name }) => name ?? '').toSorted(),
  )

test('a shared photo that nobody took is gone after signing out @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const content = (await readFile(portrait('face-2'))).toString('base64')
  // The worker keeps it; no dashboard is opened that would take it.
  await page.evaluate(
    async ({ base64, action, field }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const form = new FormData()
      form.set(field, new File([bytes], 'IMG_0001.jpg', { type: 'image/jpeg' }))
      await fetch(action, { method: 'POST', body: form, redirect: 'manual' })
    },
    { base64: content, action: installedApp.shareTarget, field: installedApp.sharedPhotoField },
  )
  expect(await keptDatabases(page)).toEqual(['shared_photo'])
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await expect.poll(() => keptDatabases(page)).toEqual([])
})

test('whoever signs in next does not see the picture of somebody whose session could not be restored @once', async ({
  page,
}) => {
  await ownerOfSelfie(page)
  const next = somebody()
  await registerByCall(page, next)
  await page.route('**/api/user?action=profile', (route) => route.abort())
  await page.reload()
  await expect(page).toHaveURL(/\/auth$/)
  await page.unroute('**/api/user?action=profile')
  const letGo = await holdAnswers(page, '**/api/generations/**')
  await signInByForm(page, next)
  await expect(balance(page)).toHaveText('1')
  await expect(page.getByText('Your selfie will appear here.')).toBeVisible()
  await expect(resultPicture(page)).toBeHidden()
  letGo()
})
