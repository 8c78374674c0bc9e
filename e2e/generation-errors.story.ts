import {
  balance,
  chooseOwnPhoto,
  expect,
  fixture,
  generateButton,
  pickStar,
  test,
} from './story.ts'

test.use({ tolerated: /status of [45]\d\d|ERR_FAILED/ })

test('a photo without a face is refused with the reason, and the credit comes back', async ({
  page,
  see,
  newcomer,
}) => {
  await newcomer()
  await page.getByLabel('PERSON 1: Upload Photo').setInputFiles(fixture('curtain.jpg'))
  await expect(page.getByText('No face was found.')).toBeVisible()
  await pickStar(page)
  await generateButton(page).click()
  await expect(page.getByText('Generation Error')).toBeVisible()
  await expect(page.getByText(/^Generation failed: .*No face was found/)).toBeVisible()
  await see('dashboard-generation-error')
  await expect(balance(page)).toHaveText('1')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('Generation Error')).toBeHidden()
})

test('a wish with a forbidden word is refused before a credit is spent @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  await page.getByLabel('Describe the look').fill('both nude')
  await generateButton(page).click()
  await expect(
    page.getByText(/^Generation failed: Your description contains words that are not allowed here/),
  ).toBeVisible()
  await expect(balance(page)).toHaveText('1')
})

test('a credit that was spent in another tab is missed in the words of the server @once', async ({
  page,
  context,
  newcomer,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  const token = await page.evaluate(() => localStorage.getItem('auth_token'))
  const spent = await context.request.post('/api/user?action=consume-credits', {
    headers: { authorization: `Bearer ${token}` },
    data: { amount: 1 },
  })
  expect(spent.ok()).toBe(true)
  await expect(balance(page), 'this tab knows nothing of it').toHaveText('1')
  await generateButton(page).click()
  await expect(page.getByText("You're out of credits")).toBeVisible()
  await expect(
    page.getByText('Insufficient credits. Please purchase credits to generate photos.'),
  ).toBeVisible()
})

test('presets that do not load say so and can be asked for again @once', async ({
  page,
  see,
  newcomer,
}) => {
  await newcomer()
  const presets = '**/api/ai?action=presets'
  await page.route(presets, (route) => route.abort())
  await page.reload()
  await expect(page.getByText('The stars could not be loaded.')).toBeVisible()
  await see('presets-failed')
  await page.unroute(presets)
  const answer = page.waitForResponse(presets)
  await page.getByRole('button', { name: 'Try again' }).click()
  const { presets: list } = (await (await answer).json()) as { presets: { image: string }[] }
  await expect(page.getByRole('button', { name: 'Elena Vassandri' })).toBeVisible()

  const address = new URL(list[0]?.image ?? '', page.url())
  await page.route(
    (url) => url.pathname === address.pathname,
    (route) => route.abort(),
  )
  await page.reload()
  await expect(page.getByText('Image unavailable')).toBeVisible()
  await see('preset-unavailable')
  await chooseOwnPhoto(page)
  await page.getByRole('button', { name: /Image unavailable/ }).click()
  await generateButton(page).click()
  await expect(page.getByText('No celebrity photo available')).toBeVisible()
  await expect(balance(page)).toHaveText('1')
})
