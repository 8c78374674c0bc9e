import {
  balance,
  chooseOwnPhoto,
  expect,
  generateButton,
  type Page,
  pickStar,
  portrait,
  resultPicture,
  test,
} from './story.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

const ownPhoto = (page: Page) => page.getByRole('img', { name: 'Your photo', exact: true })
const keptDatabases = async (page: Page): Promise<string[]> =>
  await page.evaluate(async () =>
    (await indexedDB.databases()).map(({ name }) => name ?? '').toSorted(),
  )

test('what was chosen survives a reload, until it is used @once', async ({ page, newcomer }) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await page.getByLabel('PERSON 2: Upload Photo').setInputFiles(portrait('face-4'))
  await expect(page.getByText("Great photo. You're ready.")).toHaveCount(2)
  await page.getByLabel('Describe the look').fill('warm evening light')
  await page.getByText('The people in the photos I upload agreed').tap()
  await expect.poll(() => keptDatabases(page)).toEqual(['selfie_draft'])
  // The last change is written a moment after it was made.
  await expect
    .poll(() => page.evaluate(readKeptPrompt))
    .toEqual({ prompt: 'warm evening light', consent: true })
  await page.reload()
  await expect(ownPhoto(page)).toBeVisible()
  await expect(page.getByRole('img', { name: 'Your photo of the celebrity' })).toBeVisible()
  await expect(page.getByLabel('Describe the look')).toHaveValue('warm evening light')
  await expect(generateButton(page)).toBeEnabled()
  await generateButton(page).tap()
  await expect(resultPicture(page)).toBeVisible({ timeout: 60_000 })
  await expect.poll(() => keptDatabases(page), 'used photos are not kept').toEqual([])
  await page.reload()
  await expect(resultPicture(page)).toBeVisible()
  await expect(ownPhoto(page)).toBeHidden()
})

/** Runs in the page: the wishes of the kept draft. */
async function readKeptPrompt(): Promise<unknown> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('selfie_draft')
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(new Error('not opened')))
  })
  const entry = await new Promise<{ wishes: { prompt: string; consent: boolean } }>((resolve) => {
    const request = database.transaction('entries').objectStore('entries').get('only')
    request.addEventListener('success', () =>
      resolve(request.result as { wishes: { prompt: string; consent: boolean } }),
    )
  })
  database.close()
  return { prompt: entry.wishes.prompt, consent: entry.wishes.consent }
}

test('half an hour later nothing is left of it @once', async ({ page, newcomer }) => {
  await page.clock.install()
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  await page.clock.runFor(1_000)
  await expect.poll(() => keptDatabases(page)).toEqual(['selfie_draft'])
  await page.clock.fastForward('31:00')
  await expect.poll(() => keptDatabases(page)).toEqual([])
  await expect(ownPhoto(page), 'it stays on the page that is open').toBeVisible()
})

test('signing out removes it, in all tabs @once', async ({ page, context, newcomer }) => {
  const person = await newcomer()
  await chooseOwnPhoto(page)
  await expect.poll(() => keptDatabases(page)).toEqual(['selfie_draft'])
  const other = await context.newPage()
  await other.goto('/dashboard')
  await expect(ownPhoto(other), 'a second tab finds it too').toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).tap()
  await expect(other).toHaveURL(/\/auth$/)
  await expect.poll(() => keptDatabases(page)).toEqual([])
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).tap()
  await expect(balance(page)).toHaveText('1')
  await expect(ownPhoto(page)).toBeHidden()
})
