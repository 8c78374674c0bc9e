import {
  boxOf,
  balance,
  chooseOwnPhoto,
  expect,
  fixture,
  generateButton,
  ownerOfSelfie,
  pickStar,
  resultPicture,
  test,
  type Page,
  unfoldWishes,
} from './story.ts'

test.use({ tolerated: /status of [45]\d\d|ERR_FAILED/ })

/** The box in the result's frame that says why there is no picture. */
const problem = (page: Page) => page.getByRole('region', { name: 'AI RESULT' }).getByRole('alert')

test('a photo that the check has refused stops the button, and says so before anything else @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await page.getByLabel('PERSON 1: Upload Photo').setInputFiles(fixture('curtain.jpg'))
  await expect(page.getByText('No face was found.')).toBeVisible()
  await expect(page.getByText('Please choose another photo of yourself.')).toBeVisible()
  await pickStar(page)
  await expect(generateButton(page)).toBeDisabled()
  await chooseOwnPhoto(page)
  await expect(generateButton(page)).toBeEnabled()
})

test('a failure is reported in the frame of the picture, where the eye and the focus are', async ({
  page,
  see,
  newcomer,
}) => {
  await newcomer()
  // The check cannot be made, so that only the server sees that there is no face.
  await page.route('**/api/ai?action=inspect', (route) => route.abort())
  await page.getByLabel('PERSON 1: Upload Photo').setInputFiles(fixture('curtain.jpg'))
  await expect(page.getByText("We couldn't check this photo. You can still use it.")).toBeVisible()
  await pickStar(page)
  await generateButton(page).click()
  await expect(problem(page).getByText('Generation Error')).toBeVisible()
  await expect(problem(page).getByText(/^Generation failed: .*No face was found/)).toBeVisible()
  await expect(problem(page)).toBeInViewport({ ratio: 0.9 })
  await expect(problem(page)).toBeFocused()
  await see('dashboard-generation-error')
  await expect(balance(page)).toHaveText('1')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(problem(page)).toBeHidden()
  await expect(page.getByText('Your selfie will appear here.')).toBeVisible()
})

test('an empty balance is reported in the same place, with the way to more credits @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  const token = await page.evaluate(() => localStorage.getItem('auth_token'))
  await page.request.post('/api/user?action=consume-credits', {
    headers: { authorization: `Bearer ${token}` },
    data: { amount: 1 },
  })
  await generateButton(page).click()
  await expect(problem(page)).toBeInViewport({ ratio: 0.9 })
  await expect(problem(page)).toBeFocused()
  await problem(page).getByRole('link', { name: 'Get more credits' }).click()
  await expect(page.getByRole('button', { name: 'Purchase $10' })).toBeInViewport()
})

test('what went wrong lies over the edge of an earlier picture, which stays where it is @once', async ({
  page,
}) => {
  await ownerOfSelfie(page)
  await chooseOwnPhoto(page)
  await pickStar(page)
  const heightAbove = () =>
    resultPicture(page).evaluate((picture) => {
      const panel = picture.closest('section')
      return picture.getBoundingClientRect().y - (panel?.getBoundingClientRect().y ?? 0)
    })
  for (const [width, height] of [
    [1440, 900],
    [1366, 768],
    [768, 1024],
    [390, 844],
    [360, 780],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.evaluate(() => scrollTo(0, 0))
    const before = await heightAbove()
    await generateButton(page).click()
    await expect(problem(page)).toBeFocused()
    await expect(problem(page)).toBeInViewport({ ratio: 0.9 })
    expect(await heightAbove(), `at ${width} px`).toBe(before)
    const beside = page.getByRole('group', { name: 'Versions' })
    const [box, strip] = await Promise.all([problem(page), beside].map(boxOf))
    const isApart =
      width >= 1280
        ? (box?.x ?? 0) + (box?.width ?? 0) <= (strip?.x ?? 0)
        : (box?.y ?? 0) + (box?.height ?? 0) <= (strip?.y ?? 0)
    expect(isApart, `the versions are in sight at ${width} px`).toBe(true)
    const picture = await boxOf(resultPicture(page))
    const lowest = (picture.width * 9) / 16
    const covered = (box?.y ?? 0) + (box?.height ?? 0) - picture.y
    if (width < 768) expect(covered, 'most of a low one is in sight').toBeLessThan(lowest / 2)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Dismiss' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(problem(page)).toBeHidden()
    expect(await heightAbove()).toBe(before)
  }
})

const answers: [what: string, answer: object, text: string][] = [
  [
    'the reason',
    { success: false, error: 'The light is wrong.' },
    'Generation failed: The light is wrong.',
  ],
  ['no reason', { success: false }, 'Generation failed: AI generation failed'],
  ['neither picture nor reason', { success: true }, 'Generation failed: Failed to generate image'],
]
for (const [what, answer, text] of answers) {
  test(`an answer that fails with ${what} says "${text}" @once`, async ({ page, newcomer }) => {
    await newcomer()
    await chooseOwnPhoto(page)
    await pickStar(page)
    await page.route('**/api/ai?action=generate*', (route) => route.fulfill({ json: answer }))
    await generateButton(page).click()
    await expect(problem(page).getByText(text)).toBeVisible()
  })
}

test('an answer of success and imageUrl alone is a picture @once', async ({ page, newcomer }) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  const imageUrl = '/favicon.svg'
  await page.route('**/api/ai?action=generate*', (route) =>
    route.fulfill({ json: { success: true, imageUrl } }),
  )
  await generateButton(page).click()
  await expect(resultPicture(page)).toHaveAttribute('src', imageUrl)
  await expect(page.getByText('Your selfie is ready.')).toBeAttached()
  await expect(page.getByRole('button', { name: 'Download Image' })).toBeVisible()
})

test('a description with a forbidden word is refused before a credit is spent @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page)
  await unfoldWishes(page)
  await page.getByLabel('Name a place').fill('both nude')
  await generateButton(page).click()
  await expect(
    page.getByText(/^Generation failed: Your description has forbidden words/),
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

  // The whole picture and its thumbnails.
  const pictures = new URL(list[0]?.image ?? '', page.url()).pathname.replace(/jpg$/, '')
  await page.route(
    (url) => url.pathname.startsWith(pictures),
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
