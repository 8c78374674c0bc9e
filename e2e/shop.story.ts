import type { BrowserContext, Locator } from '@playwright/test'
import { freePort } from './free-port.ts'
import { runCommand } from './run-command.ts'
import { startProgram } from './start-program.ts'
import {
  boxOf,
  balance,
  expect,
  fixture,
  generateButton,
  pickStar,
  portrait,
  resultPicture,
  somebody,
  test,
  unfoldPackages,
  type Page,
} from './story.ts'

const name = 'Selfie House'
const old = /starside/i
/** Five with `ROUNDS`, as each is cut out and tried on three people. */
const stars = ['Nova Vale', 'Juno Park', 'Remy Stone', 'Tess Arden', 'Ivo Lund'].slice(
  0,
  process.env['ROUNDS'] === undefined ? 1 : 5,
)
const newTerms = 'The house may close at night.'

/** What an operator does on the pages, counted. */
function countHands(page: Page) {
  const count = { presses: 0, fields: 0 }
  return {
    count,
    async press(target: Locator) {
      count.presses += 1
      await target.click()
    },
    async fill(label: string, value: string, within: Page | Locator = page) {
      count.fields += 1
      await within.getByLabel(label, { exact: true }).fill(value)
    },
  }
}

/** Every page, manifest and answer that a context gets, with where the old name stands in it. */
function watchForOldName(context: BrowserContext): () => Promise<string[]> {
  const reading: Promise<string | undefined>[] = []
  context.on('response', (response) => {
    const type = response.headers()['content-type'] ?? ''
    if (!/html|json|xml/.test(type)) return
    const found = response.text().then(
      (text) => {
        const at = text.search(old)
        return at < 0
          ? undefined
          : `${response.url()}: ${text.slice(Math.max(0, at - 60), at + 60)}`
      },
      // Redirects and pages that were left have no body.
      () => undefined,
    )
    reading.push(found)
  })
  return async () => (await Promise.all(reading)).filter((found) => found !== undefined)
}

/** The labels and fields that a button lies over. */
function fieldsUnder(button: Locator): Promise<string[]> {
  return button.evaluate((element) => {
    const over = element.getBoundingClientRect()
    const fields = [...document.querySelectorAll('main :is(label, input:not([type="hidden"]))')]
    const covered = fields.filter((field) => {
      const { left, right, top, bottom } = field.getBoundingClientRect()
      return left < over.right && right > over.left && top < over.bottom && bottom > over.top
    })
    return covered.map(({ id, textContent }) => id || textContent)
  })
}

test('from an empty database to a shop of another name, and its first customer @once', async ({
  browser,
}) => {
  test.setTimeout(900_000)
  const program = await startProgram(String(await freePort()))
  const { url } = program
  const startedAt = Date.now()
  try {
    const printed = await runCommand(program, ['operator', 'add', 'ada'])
    const office = await browser.newContext({
      baseURL: url,
      viewport: { width: 1440, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await office.newPage()
    const { press, fill, count } = countHands(page)
    const go = (title: string) =>
      press(page.locator('.side').getByRole('link', { name: title, exact: true }))
    const done = (text: string) => expect(page.getByRole('status')).toContainText(text)

    await test.step('first steps', async () => {
      await page.goto('/admin')
      await fill('Name', 'ada')
      await fill('Password', printed.trim().split('\n').at(-1) ?? '')
      await press(page.getByRole('button', { name: 'Sign in', exact: true }).first())
      await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible()
      await expect(
        page.getByRole('listitem').filter({ hasText: /^\s*Legal notice Needed/ }),
      ).toBeVisible()
    })

    await test.step('brand', async () => {
      // Any picture will do.
      const logo = await page.screenshot({ clip: { x: 0, y: 0, width: 512, height: 512 } })
      await go('Brand')
      expect(await fieldsUnder(page.getByRole('button', { name: 'Save' }))).toEqual([])
      await fill('Name', name)
      for (const field of ['Logo', 'Icon']) {
        count.fields += 1
        await page
          .getByLabel(field, { exact: true })
          .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
      }
      const preview = page.getByRole('region', { name: 'Preview' })
      const warning = preview.getByText('Refused: contrast 1.57, needs 4.5.')
      await fill('Accent colour, light theme', '#ffb21a')
      await expect(warning).toBeVisible()
      await press(page.getByRole('button', { name: 'Save' }))
      await expect(warning, 'the preview is of what was typed').toBeVisible()
      await expect(preview.locator('[data-shows="name"]').first()).toHaveText(name)
      const near = preview.getByRole('button', { name: /^Use #/ })
      const offered = await near.getAttribute('value')
      await near.click()
      await expect(warning, 'the colour that is offered passes').toBeHidden()
      await expect(page.getByLabel('Accent colour, light theme')).toHaveValue(offered ?? '')
      const shown = (offered ?? '').match(/[\da-f]{2}/g)?.map((part) => Number.parseInt(part, 16))
      await expect(preview.getByText('Try Now').first()).toHaveCSS(
        'background-color',
        `rgb(${shown?.join(', ')})`,
      )
      for (const field of ['Logo', 'Icon']) {
        await page
          .getByLabel(field, { exact: true })
          .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
      }
      await fill('Accent colour, light theme', '#0b5cad')
      await expect(warning).toBeHidden()
      await fill('Accent colour, dark theme', '#7ab8ff')
      await expect(preview.locator('[data-shows="name"]').first()).toHaveText(name)
      await expect(preview.locator('img[data-shows="logo"]').first()).toBeVisible()
      await expect(preview.getByText('Try Now').first()).toHaveCSS(
        'background-color',
        'rgb(11, 92, 173)',
      )
      await fill('Contact address', 'us@house.example.com')
      await fill('Social page', 'https://social.example/selfie-house')
      await fill('Community chat', 'https://chat.example/selfie-house')
      await press(page.getByRole('button', { name: 'Save' }))
      await done('Saved')
      const wayBack = page.getByRole('link', { name: 'You can undo it under Log.' })
      await expect(wayBack).toHaveAttribute('href', '/admin/log')
    })

    await test.step('three packages', async () => {
      await go('Packages')
      for (const [id, title, price, credits] of [
        ['basic', 'Starter', '5', '40'],
        ['premium', 'Studio', '12.50', '130'],
        ['Add a package', 'Club', '40', '500'],
      ] as const) {
        await press(page.getByRole('main').getByRole('link', { name: id, exact: true }))
        if (id === 'Add a package') await fill('Id', 'club')
        await fill('Price in US dollars', price)
        await fill('Credits', credits)
        await fill('Title', title, page.getByRole('group', { name: 'English' }))
        await press(page.getByRole('button', { name: 'Save' }))
        await done('is saved.')
      }
    })

    await test.step('their order, by dragging and by keys that keep the focus', async () => {
      const rows = page.locator('tbody tr')
      await rows.nth(2).locator('.place').dragTo(rows.first())
      await done('club is number 1 of 3.')
      await expect(rows.first()).toContainText('Club')
      const place = rows.filter({ hasText: 'Club' }).locator('summary:has(.place)')
      await place.press('ArrowDown')
      await done('club is number 2 of 3.')
      await expect(rows.nth(1)).toContainText('Club')
      await expect(place).toBeFocused()
    })

    await test.step('the order of stars, by a finger', async () => {
      await go('Stars')
      const rows = page.locator('tbody tr')
      const third = (await rows.nth(2).locator('td').nth(1).textContent())?.trim() ?? ''
      const [from, to] = await Promise.all([rows.nth(2).locator('.place'), rows.first()].map(boxOf))
      const finger = await office.newCDPSession(page)
      const x = from!.x + 8
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
        finger.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: y === undefined ? [] : [{ x, y }],
        })
      await touch('touchStart', from!.y + 8)
      for (const y of [from!.y - 40, from!.y - 120, to!.y + 8]) await touch('touchMove', y)
      await touch('touchEnd')
      await done(`${third} is number 1 of`)
      await expect(rows.first()).toContainText(third)
      const place = rows.nth(1).locator('summary:has(.place)')
      await place.click()
      const form = page.locator('td[colspan] form')
      expect((await boxOf(form)).width, 'as wide as its row').toBeGreaterThan(600)
      await place.click()
      await expect(form).toHaveCount(0)
      await page.setViewportSize({ width: 360, height: 780 })
      const heights = await Promise.all(
        (await rows.all()).map(async (row) => (await boxOf(row)).height),
      )
      expect(Math.max(...heights), 'rows on a phone, no cards').toBeLessThan(100)
      await page.setViewportSize({ width: 1440, height: 900 })
    })

    await test.step('stars', async () => {
      await go('Stars')
      for (const [index, star] of stars.entries()) {
        await press(page.locator('summary', { hasText: 'Add a star' }))
        count.fields += 1
        const form = page.locator('form[action$="/add"]')
        await fill('Name', star, form)
        const picture = page.getByLabel('Picture', { exact: true })
        await expect(form.locator('.file')).toHaveText('Choose a file')
        const said = form.getByRole('status')
        const chooser = page.waitForEvent('filechooser')
        await picture.press('Enter')
        await (await chooser).setFiles(fixture('curtain.jpg'))
        await expect(form.locator('.file'), 'in our own words').toHaveText('curtain.jpg')
        await expect(said).toContainText('No face was found.')
        await picture.setInputFiles(portrait(`face-${index + 1}`))
        await expect(said).toHaveText('This picture can be used.')
        await expect(form.getByLabel('Name', { exact: true })).toHaveValue(star)
        await fill('Licence', 'CC0 1.0', form)
        await fill('Consent', 'This person does not exist.', form)
        await press(form.getByRole('button', { name: 'Add a star' }))
        await done('is added. Check the samples')
        const licence = page.getByLabel('Licence', { exact: true })
        await fill('Licence', 'Typed meanwhile')
        await expect(page.getByRole('button', { name: 'Publish' })).toBeVisible()
        await expect(licence, 'what was typed stays').toHaveValue('Typed meanwhile')
        await go('Stars')
      }
      for (const star of stars) {
        await press(page.getByRole('main').getByRole('link', { name: star }))
        await press(page.getByRole('button', { name: 'Publish' }))
        await done('offered now')
        await go('Stars')
      }
    })

    await test.step('terms and privacy', async () => {
      const watching = await office.newPage()
      await watching.goto('/admin/first-steps')
      const terms = watching.getByRole('listitem').filter({ hasText: /^\s*Terms/ })
      await expect(terms).toContainText('Recommended')
      await watching.locator('summary', { hasText: 'How to set AI_LABEL' }).click()
      await page.bringToFront()
      await go('Legal pages')
      await fill('Name of the operator', 'House of Selfies Ltd')
      await fill('Address of the operator', '1 High Street, Town')
      await press(page.getByRole('button', { name: 'Save the details' }))
      for (const legal of ['Terms', 'Privacy']) {
        await press(page.getByRole('main').getByRole('link', { name: legal, exact: true }))
        const english = page.getByLabel('English', { exact: true })
        await fill('English', `${await english.inputValue()}\n\nThis is the house of Ada.\n`)
        await press(page.getByRole('button', { name: 'Save the draft' }))
        await press(page.getByRole('button', { name: 'Publish' }))
        await go('Legal pages')
      }
      await watching.bringToFront()
      await expect(terms, 'green by itself').toContainText('Done')
      await watching.close()
    })

    const codes = await test.step('twenty vouchers', async () => {
      await go('Vouchers')
      await fill('Name', 'Opening')
      await fill('Credits per code', '3')
      await fill('Codes', '20')
      await press(page.getByRole('button', { name: 'Make codes' }))
      const link = await page.getByRole('link', { name: 'Save as CSV' }).getAttribute('href')
      const [, ...lines] = decodeURIComponent(link?.split(',').slice(1).join(',') ?? '')
        .trim()
        .split('\r\n')
      expect(lines).toHaveLength(20)
      const handedOut = lines.map((line) => line.split(',')[1] ?? '')
      const copied = () => page.evaluate(() => navigator.clipboard.readText())
      await page.getByRole('button', { name: 'Copy all' }).click()
      await expect.poll(copied).toBe(handedOut.join('\n'))
      const second = page.getByRole('listitem').filter({ hasText: handedOut[1] ?? '' })
      await second.getByRole('button', { name: 'Copy', exact: true }).click()
      await expect(second.getByRole('button', { name: 'Copied' })).toBeVisible()
      expect(await copied()).toBe(handedOut[1])
      return lines.map((line) => line.split(',')[2] ?? '')
    })
    const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1)
    console.log(
      `A shop of its own: ${count.presses} presses, ${count.fields} fields, ${minutes} minutes.`,
    )
    await go('First steps')
    for (const step of ['Brand', 'Legal notice', 'Terms', 'Privacy', 'Stars', 'Clock']) {
      await expect(
        page.getByRole('listitem').filter({ hasText: new RegExp(`^\\s*${step} Done`) }),
      ).toBeVisible()
    }

    const street = await browser.newContext({ baseURL: url })
    const oldNames = watchForOldName(street)
    const visitor = await street.newPage()
    const customer = somebody()
    await test.step('a customer comes with a voucher', async () => {
      await visitor.goto(codes[0] ?? '')
      await expect(visitor.getByText('Your link has a voucher.')).toBeVisible()
      await expect(
        visitor.getByRole('main').getByRole('link', { name: 'Terms of use' }),
      ).toBeVisible()
      await visitor.getByLabel('Username').fill(customer.username)
      await visitor.getByLabel('Email').fill(customer.email)
      await visitor.getByLabel('Password', { exact: true }).fill(customer.password)
      await visitor.getByLabel('Confirm password').fill(customer.password)
      await visitor.getByRole('button', { name: 'Create Account' }).click()
      await expect(balance(visitor)).toHaveText('1')
      await visitor.getByRole('button', { name: 'Redeem', exact: true }).click()
      await expect(visitor.getByText('3 credits added.')).toBeVisible()
      await expect(balance(visitor)).toHaveText('4')
    })
    await test.step('a selfie with a star of the house', async () => {
      await visitor.getByRole('button', { name: 'Use sample face 6' }).click()
      await pickStar(visitor, stars[0])
      await generateButton(visitor).click()
      await expect(resultPicture(visitor)).toBeVisible()
      await expect(balance(visitor)).toHaveText('3')
    })
    await test.step('a package of the house', async () => {
      await unfoldPackages(visitor)
      await expect(visitor.getByRole('heading', { name: 'Starter' })).toBeVisible()
      const opened = street.waitForEvent('page')
      await visitor.getByRole('button', { name: 'Purchase $5', exact: true }).click()
      const tab = await opened
      await tab.getByRole('button', { name: 'Pay', exact: true }).click()
      await visitor.bringToFront()
      await expect(balance(visitor)).toHaveText('43')
      await visitor.setViewportSize({ width: 360, height: 740 })
      const told = visitor.getByRole('alertdialog')
      await expect(told.getByRole('img')).toBeVisible()
      const broken = await told.getByRole('listitem').evaluateAll((items) =>
        items.flatMap((item) => {
          const text = item.lastElementChild?.firstChild
          const words = [...(text?.textContent ?? '').matchAll(/\S+/g)]
          return words.filter(([word], n) => {
            const range = document.createRange()
            range.setStart(text!, words[n]!.index)
            range.setEnd(text!, words[n]!.index + word.length)
            return range.getClientRects().length > 1
          })
        }),
      )
      expect(broken, 'no word is broken on a phone').toEqual([])
      await visitor.setViewportSize({ width: 1280, height: 720 })
    })

    await test.step('changed terms are asked for once', async () => {
      await go('Legal pages')
      await page.getByRole('main').getByRole('link', { name: 'Terms', exact: true }).click()
      const english = page.getByLabel('English', { exact: true })
      await english.fill(`${await english.inputValue()}\n\n${newTerms}\n`)
      await page.getByRole('button', { name: 'Save the draft' }).click()
      await page.getByLabel('Ask everybody who agreed').check()
      await page.getByRole('button', { name: 'Publish' }).click()
      await visitor.goto('/terms')
      await expect(visitor.getByText(newTerms)).toBeVisible()
      await visitor.goto('/dashboard')
      const dialog = visitor.getByRole('dialog', { name: 'The terms of use have changed' })
      await dialog.getByRole('button', { name: 'I agree' }).click()
      await expect(dialog).toBeHidden()
      await visitor.reload()
      await expect(balance(visitor)).toHaveText('43')
      await expect(dialog).toBeHidden()
    })

    await test.step('the old name is nowhere', async () => {
      for (const address of ['/', '/auth', '/privacy', '/imprint', '/account']) {
        await visitor.goto(address)
        await expect(visitor).toHaveTitle(new RegExp(name))
        expect(await visitor.locator('html').innerText()).not.toMatch(old)
      }
      const manifest = await street.request.get('/manifest.webmanifest')
      expect(await manifest.text()).not.toMatch(old)
      expect(await oldNames()).toEqual([])
    })

    await office.close()
    await street.close()
  } finally {
    await program.stop()
  }
})
