import {
  balance,
  chooseOwnPhoto,
  creditsOnServer,
  expect,
  generateButton,
  holdAnswers,
  holdGeneration,
  pickStar,
  portrait,
  resultPicture,
  test,
  unfoldWishes,
} from './story.ts'

test.use({ tolerated: /status of 502|ERR_FAILED|ERR_ABORTED/ })

test('the sentence that the page may be left comes once it is true @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  const answer = await holdAnswers(page, '**/api/ai?action=generate*')
  await generateButton(page).click()
  await expect(page.getByText('Sending your photos.')).toBeVisible()
  const mayLeave = page.getByText(/^You can leave this page/)
  await expect(mayLeave).toBeHidden()
  const finish = await holdGeneration(page)
  answer()
  await expect(mayLeave).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('running_generation'))).not.toBeNull()
  finish()
  await page.reload()
  await expect(resultPicture(page)).toBeVisible()
})

test('an upload that breaks off gives its credit back at once and says so @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  await page.route('**/api/ai?action=generate*', (route) =>
    route.fulfill({ status: 502, body: 'no upstream' }),
  )
  await generateButton(page).click()
  await expect(
    page.getByText('Generation failed: Backend proxy failed: 502 Your credit is back.'),
  ).toBeVisible()
  await expect(balance(page)).toHaveText('1')
  expect(await creditsOnServer(page)).toBe(1)
  await page.unroute('**/api/ai?action=generate*')
  await unfoldWishes(page)
  await page.getByLabel('Name a place').fill('warm evening light')
  await generateButton(page).click()
  await expect(resultPicture(page)).toBeVisible()
  expect(await creditsOnServer(page)).toBe(0)
  await page.reload()
  await expect(page.getByText('Reserved for a selfie in progress')).toBeHidden()
})

test('the focus stays with the picture from the button to the end, which is announced', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  const answer = await holdAnswers(page, '**/api/ai?action=generate*')
  await generateButton(page).press('Enter')
  const result = page.getByRole('region', { name: 'AI RESULT' })
  await expect(page.getByRole('progressbar')).toBeVisible()
  const holdsFocus = () => result.evaluate((one) => one.contains(document.activeElement))
  await expect.poll(holdsFocus).toBe(true)
  answer()
  await expect(resultPicture(page)).toBeVisible()
  await expect(
    result.getByRole('status').filter({ hasText: 'Your selfie is ready.' }),
  ).toBeAttached()
  await expect.poll(holdsFocus).toBe(true)
  // Without credits the packages stand below the studio, and until then above it.
  await expect(balance(page)).toHaveText('0')
  await result.getByRole('link', { name: 'Remove the watermark' }).click()
  await expect(page.getByRole('button', { name: 'Purchase $10' })).toBeInViewport()
})

test('a file dropped beside the frames does not take the page away @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  const isTaken = (type: string) =>
    page.evaluate((name) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['x'], 'photo.jpg', { type: 'image/jpeg' }))
      const event = new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true })
      return !document.querySelector('h1')?.dispatchEvent(event)
    }, type)
  expect([await isTaken('dragover'), await isTaken('drop')]).toEqual([true, true])
})

test('who refuses the camera is offered the upload @once', async ({ page, newcomer }) => {
  await page.addInitScript(() => {
    const refuse = () => Promise.reject(new DOMException('Permission denied', 'NotAllowedError'))
    navigator.mediaDevices.getUserMedia = refuse
  })
  await newcomer()
  await page.getByRole('button', { name: 'Take Photo: PERSON 1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Take a photo' })
  await expect(dialog.getByText(/The camera cannot be used/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Switch camera' })).toBeHidden()
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Upload Photo' }).click()
  await (await chooser).setFiles(portrait('face-2'))
  await expect(page.getByText("Great photo. You're ready.")).toBeVisible()
})
