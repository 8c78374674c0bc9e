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

test('each way in which a generation can fail has its own words @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  const generate = '**/api/ai?action=generate'
  const failWith = async (text: string | RegExp) => {
    await generateButton(page).click()
    await expect(page.getByText(text)).toBeVisible()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(generateButton(page)).toBeEnabled()
  }
  // The proxy in front of the program is down.
  await page.route(generate, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
  await failWith('Generation failed: Backend proxy failed: 502')
  await page.unroute(generate)

  // The credit set aside by the first attempt is still held, so the balance is known to be low.
  const consume = '**/api/user?action=consume-credits'
  await page.route(consume, (route) => route.abort())
  await page.reload()
  await chooseOwnPhoto(page)
  await pickStar(page)
  if ((await balance(page).textContent()) === '0') {
    await failWith('Insufficient credits. Please purchase credits to generate photos.')
    return
  }
  await failWith('Failed to process credit deduction. Please try again.')
})

test('a deduction that fails is told apart from one that cannot be asked for @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  const consume = '**/api/user?action=consume-credits'
  await page.route(consume, (route) => route.abort())
  await generateButton(page).click()
  await expect(
    page.getByText('Failed to process credit deduction. Please try again.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.unroute(consume)
  await page.route(consume, (route) => route.fulfill({ json: { success: false } }))
  await generateButton(page).click()
  await expect(page.getByText('Failed to consume credits')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.unroute(consume)

  // The network goes away between the deduction and the upload, and comes back.
  const generate = '**/api/ai?action=generate'
  await page.route(generate, (route) => route.abort())
  await generateButton(page).click()
  await expect(page.getByText(/^Generation failed: Proxy request failed: /)).toBeVisible()
  await page.unroute(generate)
  await generateButton(page).click()
  await expect(page.getByText('Made with AI. This meeting never took place.')).toBeVisible({
    timeout: 60_000,
  })
  await page.reload()
  await expect(balance(page)).toHaveText('0')
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
  await expect(page.getByText('The presets could not be loaded.')).toBeVisible()
  await see('presets-failed')
  await page.unroute(presets)
  const answer = page.waitForResponse(presets)
  await page.getByRole('button', { name: 'Try again' }).click()
  const { presets: list } = (await (await answer).json()) as { presets: { image: string }[] }
  await expect(page.getByRole('button', { name: 'Zuvia' })).toBeVisible()

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
