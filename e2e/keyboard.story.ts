import {
  expect,
  generateButton,
  ownerOfSelfie,
  portrait,
  stopClock,
  test,
  unfoldMore,
} from './story.ts'

test('a selfie can be set up and dialogs used with the keyboard alone @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  const chooser = page.waitForEvent('filechooser')
  await page
    .getByRole('region', { name: 'PERSON 1' })
    .getByRole('button', { name: 'Upload Photo: PERSON 1' })
    .focus()
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(portrait('face-2'))
  await expect(page.getByText('Great photo.')).toBeVisible()
  await page.getByRole('button', { name: 'Elena Vassandri' }).focus()
  await page.keyboard.press('Space')
  await expect(generateButton(page)).toBeEnabled()
  await page.getByRole('radio', { name: 'As in your photo' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Old town square' })).toBeChecked()
  const opener = page
    .getByRole('region', { name: 'PERSON 1' })
    .getByRole('button', { name: 'Take Photo' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Take a photo' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(opener).toBeFocused()
})

test('Tab leads from the head of the dashboard into the studio, and from there to the packages @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await page.getByRole('link', { name: 'See your selfies' }).focus()
  const places: string[] = []
  while (!places.includes('packages')) {
    await page.keyboard.press('Tab')
    const place = await page.evaluate(
      () => document.activeElement?.closest('#create, #packages')?.id,
    )
    if (place !== undefined && !places.includes(place)) places.push(place)
  }
  expect(places).toEqual(['create', 'packages'])
})

test.describe('with a voucher that is refused', () => {
  test.use({ tolerated: /status of 400/ })

  test('the focus stays where an act ended: at a voucher, a public link, a deletion that is undone @once', async ({
    page,
  }) => {
    const press = async (name: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    await page.context().grantPermissions(['clipboard-write'])
    await page.clock.install()
    await ownerOfSelfie(page)
    await press('Redeem a voucher')
    await page.getByLabel('Voucher code').fill('NONE')
    await press('Redeem')
    await expect(page.getByText(/We don.t know this code/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Redeem', exact: true })).toBeFocused()
    await page.getByRole('button', { name: /^Selfie with/ }).click()
    const dialog = page.getByRole('dialog')
    await unfoldMore(dialog)
    await dialog.getByRole('button', { name: 'Make public and copy link' }).focus()
    await stopClock(page)
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('button', { name: 'Copied!' })).toBeFocused()
    await page.clock.resume()
    await dialog.getByRole('button', { name: 'Turn off the link' }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('The public link no longer works.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Make it public' })).toBeFocused()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await press('Undo (30 s)')
    await expect(page.getByRole('button', { name: /^Selfie with/ })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: /^Selfie with/ })).toBeFocused()
  })
})

test('the registration fits a phone, and tells beside its fields what they take @once', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/auth?mode=register')
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription('At least 3 characters.')
})
