import { readFile } from 'node:fs/promises'
import { appIcons, installedApp } from '@starside/contract/installed-app.ts'
import sharp from 'sharp'
import { openProxy } from './open-proxy.ts'
import {
  balance,
  expect,
  ownerOfSelfie,
  type Page,
  portrait,
  registerByCall,
  resultPicture,
  signIn,
  somebody,
  test,
} from './story.ts'

test.use({
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  serviceWorkers: 'allow',
  // What the worker can't fetch without a connection has failed, as the page sees it.
  tolerated: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/,
})

/** Waits until the worker answers for the page. */
async function controlled(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

/** What a phone does whose gallery shares a photo with the app (W3C, Web Share Target). */
async function share(page: Page, file: string): Promise<void> {
  const content = (await readFile(file)).toString('base64')
  await page.evaluate(
    ({ base64, action, field }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const files = new DataTransfer()
      files.items.add(new File([bytes], 'IMG_0001.jpg', { type: 'image/jpeg' }))
      const form = document.createElement('form')
      Object.assign(form, { action, method: 'post', enctype: 'multipart/form-data' })
      const input = document.createElement('input')
      Object.assign(input, { type: 'file', name: field, files: files.files })
      form.append(input)
      document.body.append(form)
      form.submit()
    },
    { base64: content, action: installedApp.shareTarget, field: installedApp.sharedPhotoField },
  )
}

const ownPhoto = (page: Page) => page.getByRole('img', { name: 'Your photo' })

test('the app can be installed: manifest, start, scope and icons for every platform @once', async ({
  page,
}) => {
  await page.goto('/')
  const link = page.locator('link[rel="manifest"]')
  const answer = await page.request.get((await link.getAttribute('href')) ?? '')
  expect(answer.headers()['content-type']).toContain('application/manifest+json')
  const manifest = (await answer.json()) as Record<string, unknown>
  expect(manifest).toMatchObject({
    id: '/',
    name: 'Starside',
    short_name: 'Starside',
    start_url: '/dashboard',
    scope: '/',
    display: 'standalone',
    share_target: { action: '/share-target', method: 'POST', enctype: 'multipart/form-data' },
  })
  expect(manifest['icons']).toEqual(appIcons)
  const purposes = appIcons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)
  expect(purposes).toEqual(
    expect.arrayContaining(['any 192x192', 'any 512x512', 'maskable 512x512']),
  )
  for (const { src, sizes, type } of appIcons) {
    const icon = await page.request.get(src)
    expect(icon.headers()['content-type'], src).toContain(type)
    if (type !== 'image/png') continue
    const { width, height } = await sharp(await icon.body()).metadata()
    expect(`${width}x${height}`, src).toBe(sizes)
  }
  const touchIcon = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href')
  const { width, hasAlpha } = await sharp(
    await (await page.request.get(touchIcon ?? '')).body(),
  ).metadata()
  expect([width, hasAlpha], 'a phone rounds it by itself').toEqual([180, false])
  expect((await page.request.get('/favicon.ico')).status()).toBe(200)
  const chinese = await page.request.get(installedApp.manifest, {
    headers: { 'accept-language': 'zh-CN,zh;q=0.9' },
  })
  expect(await chinese.json()).toMatchObject({ lang: 'zh-Hans' })
})

test('the browser itself finds nothing that keeps the app from being installed @once', async ({
  playwright,
  baseURL,
  launchOptions,
}) => {
  // A window in private, as stories have, installs nothing.
  const context = await playwright.chromium.launchPersistentContext('', launchOptions)
  try {
    const page = await context.newPage()
    await page.goto(baseURL ?? '')
    await controlled(page)
    const devtools = await context.newCDPSession(page)
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    expect(installabilityErrors).toEqual([])
    const { url, errors } = await devtools.send('Page.getAppManifest')
    expect(new URL(url).pathname).toBe(installedApp.manifest)
    expect(errors).toEqual([])
  } finally {
    await context.close()
  }
})

test('without a connection the offline page stands in, and goes on by itself @once', async ({
  page,
  context,
  newcomer,
}) => {
  await newcomer()
  await controlled(page)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'You are offline.' })).toBeVisible()
  await expect(page.getByRole('heading')).toHaveCount(1)
  await page.evaluate(() => document.body.setAttribute('data-old', ''))
  await page.getByRole('button', { name: 'Try again' }).tap()
  await expect(page.locator('body[data-old]'), 'the page was loaded anew').toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'You are offline.' })).toBeVisible()
  await page.evaluate(() => localStorage.setItem('language', 'zh'))
  await page.reload()
  await expect(page.getByRole('heading', { name: '你已离线。' })).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('language'))
  await context.setOffline(false)
  await expect(balance(page), 'still signed in').toHaveText('1')
})

test('nothing of a person is in the cache after a session @once', async ({ page }) => {
  await ownerOfSelfie(page)
  await controlled(page)
  await page.reload()
  await expect(resultPicture(page)).toBeVisible()
  await page.getByRole('button', { name: /^Selfie with/ }).tap()
  await expect(page.getByRole('dialog').getByRole('img', { name: /made with AI/ })).toBeVisible()
  const readKept = () =>
    page.evaluate(async () => {
      const found: string[] = []
      for (const name of await caches.keys()) {
        const requests = await (await caches.open(name)).keys()
        found.push(...requests.map((request) => new URL(request.url).pathname))
      }
      return found
    })
  const own = ['/offline.html', '/favicon.svg', expect.stringMatching(/\.js$/)]
  await expect.poll(readKept).toEqual(expect.arrayContaining(own))
  const kept = await readKept()
  const foreign = kept.filter(
    (path) => !/^\/(?:offline\.html|favicon\.svg|assets\/[\w.-]+\.(?:js|css|woff2))$/u.test(path),
  )
  expect(foreign).toEqual([])
})

test('a new version is reported, and loaded when asked for @once', async ({ page, baseURL }) => {
  const proxy = await openProxy(baseURL ?? '')
  try {
    const { token } = await registerByCall(page)
    await signIn(page, { origin: proxy.url, token })
    await controlled(page)
    await expect(page.getByText('An update is ready.')).toBeHidden()
    proxy.append = { path: installedApp.serviceWorker, text: '\n// the next build' }
    await page.evaluate(async () => {
      await (await navigator.serviceWorker.ready).update()
    })
    await expect(page.getByText('An update is ready.')).toBeVisible()
    await page.evaluate(() => document.body.setAttribute('data-old', ''))
    await page.getByRole('button', { name: 'Update' }).tap()
    await expect(page.locator('body[data-old]'), 'the page was loaded anew').toHaveCount(0)
    await expect(balance(page)).toHaveText('1')
    await expect(page.getByText('An update is ready.')).toBeHidden()
  } finally {
    await proxy.close()
  }
})

test('a photo shared from the gallery lands in the studio @once', async ({ page, newcomer }) => {
  await newcomer()
  await controlled(page)
  await share(page, portrait('face-2'))
  await expect(ownPhoto(page)).toBeVisible()
  await expect(page.getByText("Great photo. You're ready.")).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a photo shared while signed out waits for the sign-in @once', async ({ page }) => {
  const person = somebody()
  await registerByCall(page, person)
  await page.goto('/auth')
  await controlled(page)
  await share(page, portrait('face-2'))
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).tap()
  await expect(ownPhoto(page)).toBeVisible()
  await expect(page.getByText("Great photo. You're ready.")).toBeVisible()
  const names = await page.evaluate(async () =>
    (await indexedDB.databases()).map(({ name }) => name),
  )
  expect(names).not.toContain('shared_photo')
})

test.describe('without a worker', () => {
  test.use({ serviceWorkers: 'block' })
  test('a share says that the photo has to be chosen @once', async ({ page, newcomer }) => {
    await newcomer()
    await share(page, portrait('face-2'))
    await expect(
      page.getByRole('alertdialog', {
        name: "We didn't get the shared photo. Choose it here.",
      }),
    ).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard$/)
  })
})
