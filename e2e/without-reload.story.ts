import type { GenerationAnswer } from '@starside/contract/generation.ts'
import { giveSelfie } from './copied-selfie.ts'
import {
  balance,
  expect,
  openLanding,
  type Page,
  registerByCall,
  signIn,
  somebody,
  test,
} from './story.ts'

/** Widths of screens in px, on both sides of every break of the layout. */
const widths = [390, 768, 1280, 1440, 1920]

/** What a heading, button, picture or field is, and its left, top, width and height in px. */
type Box = [what: string, ...px: number[]]

/** Where everything stands that people read, press and fill in, once all of it has come. */
async function boxesOf(page: Page): Promise<Box[]> {
  await expect(page.getByText(/^(?:Loading|Fetching)/)).toHaveCount(0)
  return await page.evaluate(async () => {
    await document.fonts.ready
    for (const picture of document.images) picture.loading = 'eager'
    await Promise.all([...document.images].map((one) => one.decode().catch(() => undefined)))
    return [...document.querySelectorAll('h1, h2, h3, button, img, input, select, textarea')]
      .filter((element) => element.checkVisibility())
      .map((element): [string, ...number[]] => {
        const { left, top, width, height } = element.getBoundingClientRect()
        const name =
          element.textContent || element.getAttribute('alt') || element.getAttribute('type')
        const what = `${element.tagName} ${name}`
        return [what, left + scrollX, top + scrollY, width, height]
      })
  })
}

/** Reloads the page and compares where everything stands with where it stood before. */
async function expectSameAfterReload(page: Page, before: Box[]): Promise<void> {
  await page.reload()
  await expect(async () => {
    const after = await boxesOf(page)
    expect(before.map(([what]) => what)).toEqual(after.map(([what]) => what))
    const moved = before.flatMap((box, index) => {
      const now = after[index] ?? box
      const isSame = box.every(
        (px, part) => part === 0 || Math.abs(Number(px) - Number(now[part])) <= 2,
      )
      return isSame ? [] : [`${box.join(' ')} → ${now.slice(1).join(' ')}`]
    })
    expect(moved).toEqual([])
  }).toPass()
}

const dashboardIsThere = async (page: Page): Promise<void> => {
  await expect(balance(page)).toHaveText(/^\d+$/)
  await expect(page.getByRole('button', { name: 'Elena Vassandri', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use sample face 1' })).toBeVisible()
  await expect(page.locator('#ledger')).toBeVisible()
}

for (const width of widths) {
  test(`who registers from the landing page finds the dashboard as it is after a reload, ${width} px wide @once`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    await openLanding(page)
    await page.getByRole('button', { name: "Try Now - It's Free!" }).first().click()
    const { username, email, password } = somebody()
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm password').fill(password)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await dashboardIsThere(page)
    await expect(page.getByText('No selfies yet.')).toBeVisible()
    await expectSameAfterReload(page, await boxesOf(page))
  })
}

test('dashboard, gallery, account and a shared page are the same by every way as after a reload @once', async ({
  page,
}) => {
  const person = somebody()
  const session = await registerByCall(page, person)
  const generationId = await giveSelfie(page.request, person)
  const shared = await page.request.post(`/api/generations/${generationId}/share`, {
    headers: { authorization: `Bearer ${session.token}` },
  })
  const { shareUrl } = ((await shared.json()) as GenerationAnswer).generation
  await signIn(page, session)
  const heading = (name: string) => page.getByRole('heading', { name })
  const back = async (): Promise<void> => void (await page.goBack())
  const openDashboard = async (): Promise<void> => {
    await dashboardIsThere(page)
    await expect(page.getByRole('button', { name: 'Selfie with Elena Vassandri' })).toBeVisible()
  }
  for (const width of [390, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(shareUrl ?? '')
    await page.getByRole('link', { name: /^Dashboard/ }).click()
    await openDashboard()
    const dashboard = await boxesOf(page)
    await page.getByRole('link', { name: 'Account' }).click()
    await expect(heading('Change password')).toBeVisible()
    const account = await boxesOf(page)
    await back()
    await openDashboard()
    await expect(async () => expect(await boxesOf(page)).toEqual(dashboard)).toPass()
    await back()
    await expect(heading('A selfie with')).toBeVisible()
    await expectSameAfterReload(page, await boxesOf(page))
    await page.goForward()
    await openDashboard()
    await expectSameAfterReload(page, dashboard)
    await page.goForward()
    await expect(heading('Change password')).toBeVisible()
    await expectSameAfterReload(page, account)
  }
})
