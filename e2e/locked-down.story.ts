import { expect, test } from './story.ts'

test.use({ tolerated: /Trusted ?Type|TrustedHTML|Content Security Policy/ })

test('what slips into a page can neither write markup nor make a policy of its own @once', async ({
  page,
}) => {
  await page.goto('/auth')
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  const refusals = await page.evaluate(() => {
    const attempt = (act: () => unknown): string => {
      try {
        act()
        return 'done'
      } catch (error) {
        return error instanceof Error ? error.name : 'refused'
      }
    }
    const rules = { createScriptURL: (address: string) => address }
    const { trustedTypes } = window as unknown as {
      trustedTypes: { createPolicy: (name: string, given: typeof rules) => unknown }
    }
    return {
      markup: attempt(() => (document.createElement('div').innerHTML = '<b>bold</b>')),
      otherPolicy: attempt(() => trustedTypes.createPolicy('mine', rules)),
      secondDefault: attempt(() => trustedTypes.createPolicy('default', rules)),
      strangeScript: attempt(() => (document.createElement('script').src = '//evil.example/x.js')),
      blobWorker: attempt(() => new Worker(URL.createObjectURL(new Blob(['1'])))),
      ownScript: attempt(() => (document.createElement('script').src = '/assets/any.js')),
    }
  })
  expect(refusals).toEqual({
    markup: 'TypeError',
    otherPolicy: 'TypeError',
    secondDefault: 'TypeError',
    strangeScript: 'TypeError',
    blobWorker: 'TypeError',
    ownScript: 'done',
  })
})
