import { expect, openLanding, test, unfoldPackages } from './story.ts'

const pages = [
  { path: '/terms', en: 'Terms of use', es: 'Condiciones de uso', zh: '使用条款', sections: 11 },
  { path: '/privacy', en: 'Privacy', es: 'Privacidad', zh: '隐私', sections: 11 },
  { path: '/imprint', en: 'Legal notice', es: 'Aviso legal', zh: '网站信息', sections: 2 },
]

for (const { path, en, es, zh, sections } of pages) {
  const languages = [
    ['en-GB', en],
    ['es-MX', es],
    ['zh-CN', zh],
  ] as const

  test(`${path} can be read in three languages @resized`, async ({ browser, baseURL, see }) => {
    for (const [locale, title] of languages) {
      const context = await browser.newContext({ locale, baseURL: baseURL ?? '' })
      const page = await context.newPage()
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await see(`legal${path.replace('/', '-')}-${locale}`, page)
      await context.close()
    }
  })

  test(`${path} can be read in three languages without any script @once`, async ({
    browser,
    baseURL,
  }) => {
    for (const [locale, title] of languages) {
      const context = await browser.newContext({
        locale,
        javaScriptEnabled: false,
        baseURL: baseURL ?? '',
      })
      const page = await context.newPage()
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await expect(page.getByRole('heading', { level: 2 })).toHaveCount(sections)
      await context.close()
    }
  })
}

test('terms and privacy are a link away from the footer, the registration and the payment @once', async ({
  page,
  newcomer,
}) => {
  // A link that is pressed before the page's program has come loads the page, as without scripts.
  await openLanding(page)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of use' }).click()
  await expect(page).toHaveURL(/\/terms$/)
  await expect(page.getByRole('heading', { name: 'Terms of use' })).toBeFocused()
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
  await expect(page.getByRole('heading', { name: 'Privacy', exact: true })).toBeFocused()
  await expect(
    page.getByText('On this site, photos stay on our own server and go to nobody else.'),
  ).toBeVisible()
  await page.goto('/auth?mode=register')
  for (const name of ['Terms of use', 'Privacy']) {
    const link = page.getByRole('main').getByRole('link', { name })
    await expect(link, 'what was filled in stays').toHaveAttribute('target', '_blank')
  }
  await newcomer()
  await unfoldPackages(page)
  const packages = page.getByRole('region', { name: 'Get more credits' })
  await expect(packages.getByRole('link', { name: 'Terms of use' })).toBeVisible()
})
