import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import {
  boxOf,
  balance,
  chooseOwnPhoto,
  expect,
  fixture,
  generateButton,
  holdGeneration,
  ownerOfSelfie,
  type Page,
  pickStar,
  portrait,
  resultPicture,
  test,
  unfoldMore,
  unfoldWishes,
} from './story.ts'

const wishLine = (page: Page) => page.locator('.wish-line')

/** Sample faces in one photo of two rows, each of that width and height in px. */
async function groupOf(...sizesPx: number[]) {
  const step = 300
  const faces = await Promise.all(
    sizesPx.map((size, n) =>
      sharp(portrait(`face-${n + 1}`))
        .resize(size, size, { fit: 'cover' })
        .png()
        .toBuffer(),
    ),
  )
  const buffer = await sharp({
    create: { width: 960, height: 640, channels: 3, background: '#9aa5b0' },
  })
    .composite(
      faces.map((input, n) => ({
        input,
        left: 80 + step * (n % 3),
        top: Math.round(step * (0.75 + Math.floor(n / 3)) - (sizesPx[n] ?? 0) / 2),
      })),
    )
    .png()
    .toBuffer()
  return { name: 'group.png', mimeType: 'image/png', buffer }
}

test('the photo check tells at once what would spoil the picture, and faces can be picked @resized', async ({
  page,
  see,
  newcomer,
}) => {
  await newcomer()
  const mine = page.getByLabel('PERSON 1: Upload Photo')
  await mine.setInputFiles(fixture('curtain.jpg'))
  await expect(page.getByText('No face was found.')).toBeVisible()
  await see('check-no-face')
  await mine.setInputFiles(fixture('two-people.jpg'))
  const asked = page.getByText('2 faces found. Tap up to 2 people side by side.')
  await expect(asked, 'neither is clearly the main one').toBeInViewport()
  const before = page.getByRole('button', { name: 'Face 1' })
  const friend = page.getByRole('button', { name: 'Face 2' })
  await expect(before, 'the number that the photo check calls it by').toHaveText(/^1/)
  for (const face of [before, friend]) await expect(face).toHaveAttribute('aria-pressed', 'false')
  const next = page.locator('.generate-bar [aria-current=step]')
  await expect(next).toHaveText('1Choose your face')
  await pickStar(page)
  await expect(next).toHaveText('1Choose your face')
  await expect(generateButton(page)).toBeDisabled()
  await see('check-choose-face')
  await before.click()
  await expect(next).toHaveText('3Generate')
  await expect(generateButton(page)).toBeEnabled()
  await friend.focus()
  await page.keyboard.press('Enter')
  await expect(friend).toHaveAttribute('aria-pressed', 'true')
  await expect(before).toHaveAttribute('aria-pressed', 'true')
  await see('check-two-faces')
  await before.click()
  await expect(before).toHaveAttribute('aria-pressed', 'false')
  await friend.click()
  await expect(friend, 'somebody stays').toHaveAttribute('aria-pressed', 'true')
  const everybody = page.getByRole('button', { name: 'Include everyone' })
  await everybody.click()
  for (const button of [before, friend, everybody]) {
    await expect(button).toHaveAttribute('aria-pressed', 'true')
  }
  await mine.setInputFiles(await groupOf(260, 260, 130))
  await expect(page.getByText('Face 3: The face is too small.', { exact: true })).toBeVisible()
  const refused = page.getByRole('button', { name: /^Face 3: The face is too small/ })
  await expect(refused).toHaveAttribute('aria-disabled', 'true')
  await expect(everybody, 'who would be without somebody').toHaveCount(0)
  await see('check-refused-face')
  await mine.setInputFiles(await groupOf(130, 130, 130, 130, 130, 130))
  const findings = page.getByRole('list', { name: 'Photo check' }).getByRole('listitem')
  await expect(findings, 'one sentence for all of them').toHaveText([
    /None of the 6 faces is large enough\. Choose a photo taken closer\./,
  ])
  await expect(page.getByRole('button', { name: /^Face \d/ }), 'nobody to press').toHaveCount(0)
  await see('check-many-faces')
  await mine.setInputFiles({
    name: 'notes.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('These are words, not a picture.'),
  })
  await expect(page.getByText("We can't read this file.")).toBeVisible()
  await expect(page.getByText('Failed to load image'), 'and says so once').toHaveCount(0)
})

/** Two people at both ends of a wide photo, cut by its foot. */
async function farApart(): Promise<Buffer> {
  const people = await Promise.all(
    ['face-1', 'face-2'].map((name) =>
      sharp(portrait(name)).resize(640, 800, { fit: 'cover' }).png().toBuffer(),
    ),
  )
  return await sharp({ create: { width: 2400, height: 800, channels: 3, background: '#9aa5b0' } })
    .composite(people.map((input, n) => ({ input, left: 1760 * n, top: 0 })))
    .jpeg()
    .toBuffer()
}

test('people too far apart for a format are told at the tap, with one press to one that has room @resized', async ({
  page,
  see,
  newcomer,
}) => {
  await newcomer()
  await pickStar(page)
  await page.getByLabel('PERSON 1: Upload Photo').setInputFiles({
    name: 'us.jpg',
    mimeType: 'image/jpeg',
    buffer: await farApart(),
  })
  const everybody = page.getByRole('button', { name: 'Include everyone' })
  await everybody.click()
  await expect(wishLine(page), 'as wide as three people need').toContainText('Wide 16:9')
  await expect(generateButton(page)).toBeEnabled()
  await unfoldWishes(page)
  await page.getByRole('radio', { name: 'Portrait 4:5' }).locator('..').click()
  await expect(page.getByText("These people don't fit into 4:5.")).toBeVisible()
  await expect(generateButton(page)).toBeDisabled()
  // Clear of what stands at the screen's foot.
  await everybody.evaluate((button) => button.scrollIntoView({ block: 'center' }))
  await see('people-too-far-apart')
  await page.getByRole('button', { name: /^Use (?:1:1|4:3|16:9)$/ }).click()
  await expect(generateButton(page)).toBeEnabled()
  await expect(page.getByText("don't fit into")).toHaveCount(0)
})

test('a star can be uploaded, which needs consent, hides the presets, and can be cleared @resized', async ({
  page,
  see,
  newcomer,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await expect(page.getByRole('button', { name: 'Choose Photo' })).toBeVisible()
  const region = page.getByRole('region', { name: 'PERSON 2' })
  await pickStar(page, 'Henrik Solmark')
  await expect(region.getByText('STAR', { exact: true })).toBeVisible()
  await page.getByLabel('PERSON 2: Upload Photo').setInputFiles(portrait('face-5'))
  await expect(region.getByText('CUSTOM', { exact: true })).toBeVisible()
  await expect(page.getByText('Or choose preset:')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Change Photo' })).toBeVisible()
  await expect(generateButton(page)).toBeDisabled()
  const consent = page.getByLabel(/agreed to this and are adults/)
  await page.getByRole('link', { name: 'Please tick the consent box to start.' }).focus()
  await page.keyboard.press('Enter')
  await expect(consent, 'the sentence leads to the box').toBeFocused()
  await expect(consent).toBeInViewport()
  await page.keyboard.press('Space')
  await expect(generateButton(page)).toBeEnabled()
  await see('dashboard-custom-star')
  await page.getByRole('button', { name: 'Clear Selection' }).click()
  await expect(page.getByText('Or choose preset:')).toBeFocused()
  await expect(generateButton(page)).toBeDisabled()
})

test('a photo comes in from the camera, the clipboard, a drop, and as HEIC @once', async ({
  page,
  see,
  newcomer,
}) => {
  await newcomer()
  const region = page.getByRole('region', { name: 'PERSON 1' })
  await region.getByRole('button', { name: 'Take Photo' }).click()
  await expect(page.getByRole('button', { name: 'Take photo', exact: true })).toBeEnabled()
  await see('camera')
  await page.getByRole('button', { name: 'Take photo', exact: true }).click()
  await expect(region.getByRole('img', { name: 'Your photo' })).toBeVisible()
  await expect(page.getByText('No face was found.')).toBeVisible()

  // With a photo of oneself there, a pasted one is the star's.
  const star = page.getByRole('region', { name: 'PERSON 2' })
  await give(page, 'paste', portrait('face-2'))
  await expect(star.getByText('Great photo of the star.')).toBeVisible()
  await expect(star.getByText('CUSTOM', { exact: true })).toBeVisible()
  await give(page, 'drop', fixture('two-people.jpg'))
  await expect(region.getByText(/^2 faces found\./)).toBeVisible()

  const decoders: string[] = []
  page.on('request', (request) => {
    if (/heic/.test(request.url())) decoders.push(request.url())
  })
  const mine = page.getByLabel('PERSON 1: Upload Photo')
  await mine.setInputFiles(portrait('face-2'))
  await expect(region.getByText('Great photo.')).toBeVisible()
  expect(decoders, 'a JPEG needs no decoder').toEqual([])
  await mine.setInputFiles(fixture('curtain.jpg'))
  await expect(region.getByText('No face was found.')).toBeVisible()
  await mine.setInputFiles(fixture('person.heic'))
  await expect(region.getByText('Great photo.')).toBeVisible()
  expect(decoders.length).toBeGreaterThan(0)
})

test('a large photo goes up small, upright, and without its metadata @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  const sent = page.waitForRequest(/action=inspect/)
  await page.getByLabel('PERSON 1: Upload Photo').setInputFiles({
    name: 'large.bmp',
    mimeType: 'image/bmp',
    buffer: largeBitmap(3000, 1500),
  })
  const answer = await (await sent).response()
  const { requestBodySize } = await (await sent).sizes()
  expect(answer?.ok()).toBe(true)
  expect(requestBodySize, 'of 13.5 million bytes').toBeLessThan(1_000_000)
  await expect(page.getByRole('img', { name: 'Your photo' })).toHaveAttribute('width', '2048')
})

test('who leaves while the picture is made finds it again, for half an hour @once', async ({
  page,
  newcomer,
}) => {
  await newcomer()
  await chooseOwnPhoto(page)
  await pickStar(page, 'Mina Asakuri')
  const finish = await holdGeneration(page)
  await generateButton(page).click()
  await expect(page.getByRole('progressbar')).toBeVisible()
  await page.waitForFunction(() => localStorage.getItem('running_generation') !== null)
  await page.goto('/')
  finish()
  await page.goto('/dashboard')
  await expect(resultPicture(page)).toBeVisible()
  await expect(balance(page)).toHaveText('0')
  await page.reload()
  await expect(resultPicture(page)).toBeVisible()
  await page.evaluate(() => {
    const cached = JSON.parse(localStorage.getItem('generated_image') ?? '{}') as {
      timestamp: number
    }
    cached.timestamp -= 30 * 60_000
    localStorage.setItem('generated_image', JSON.stringify(cached))
  })
  await page.reload()
  await expect(page.getByText('Your selfie will appear here.')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('generated_image'))).toBeNull()
})

test('a selfie of the gallery opens large, gets a public link, and can be deleted and brought back @resized', async ({
  page,
  see,
  browser,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await ownerOfSelfie(page)
  const frame = page.getByRole('button', { name: /^Selfie with Elena Vassandri/ })
  await frame.click()
  const dialog = page.getByRole('dialog', { name: 'Selfie with Elena Vassandri' })
  await expect(dialog.getByText('with watermark')).toBeVisible()
  await unfoldMore(dialog)
  await dialog.getByRole('button', { name: 'Make public and copy link' }).click()
  const facebook = dialog.getByRole('link', { name: 'Share on Facebook' })
  await expect(facebook).toBeVisible()
  await see('picture-dialog')
  const link = new URL((await facebook.getAttribute('href')) ?? '').searchParams.get('u') ?? ''
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link)

  const elsewhere = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const visitor = await elsewhere.newPage()
  await visitor.goto(link)
  const shared = visitor.getByRole('img', { name: /A selfie of a person with a star/ })
  await expect(shared).toBeVisible()
  expect((await boxOf(shared)).width, 'it is what people came for').toBeGreaterThan(500)
  await see('landing-shared', visitor)
  const card = visitor.locator('meta[property="og:image"]')
  expect(await card.getAttribute('content')).toMatch(/^https?:\/\//)
  // Of what lies over the rest of the column.
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Turn off the link' }).click()
  await expect(dialog.getByText('The public link no longer works.')).toBeVisible()
  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { name: /^A selfie with/ })).toBeHidden()
  await elsewhere.close()

  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(frame).toBeHidden()
  await expect(page.getByText('The picture was deleted.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(frame).toBeVisible()
})

/** Pastes a photo onto the page, or drops it onto the first frame. */
async function give(page: Page, how: 'paste' | 'drop', file: string): Promise<void> {
  const content = (await readFile(file)).toString('base64')
  await page.evaluate(
    async ({ kind, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const transfer = new DataTransfer()
      transfer.items.add(new File([bytes], 'given.jpg', { type: 'image/jpeg' }))
      const target = document.querySelector('section[aria-label="PERSON 1"]') ?? document.body
      const init = { bubbles: true, cancelable: true }
      if (kind === 'paste') {
        document.body.dispatchEvent(
          new ClipboardEvent('paste', { ...init, clipboardData: transfer }),
        )
      } else {
        target.dispatchEvent(new DragEvent('dragover', { ...init, dataTransfer: transfer }))
        target.dispatchEvent(new DragEvent('drop', { ...init, dataTransfer: transfer }))
      }
    },
    { kind: how, base64: content },
  )
}

/** A grey picture in the BMP format, 24 bits a pixel. */
function largeBitmap(width: number, height: number): Buffer {
  const stride = Math.ceil((width * 3) / 4) * 4
  const file = Buffer.alloc(54 + stride * height, 0x80)
  file.fill(0, 0, 54)
  file.write('BM')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  file.writeUInt32LE(stride * height, 34)
  return file
}
