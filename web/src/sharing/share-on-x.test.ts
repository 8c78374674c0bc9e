import { inEveryLanguage } from '@starside/contract/languages.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { shown } from '../ui/brand.ts'
import { shareOnX } from '../generation/use-picture-sharing.ts'

const link = 'https://star.side/?ref=ABCD2345'

/** The browser's own ways to open a window and to copy a text. */
function stubBrowser(
  openWindow: (address: string) => { opener: unknown } | null,
  writeText: (text: string) => Promise<void>,
): void {
  vi.stubGlobal('open', openWindow)
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
}
const nothing = inEveryLanguage(() => '')
beforeEach(() => {
  shown.brand = {
    name: 'Glitter',
    line: nothing,
    logo: null,
    shareText: nothing,
    shareTags: ['Glitter', 'AI'],
  }
})
afterEach(() => {
  shown.brand = undefined
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'clipboard')
})

it('opens the intent with text, link and hashtags, and cuts the way back', async () => {
  const opened = { opener: 'this page' as unknown }
  const openWindow = vi.fn((_address: string) => opened)
  stubBrowser(openWindow, vi.fn())
  const outcome = await shareOnX('Hello', link)
  expect(outcome).toBe('shareOpened')
  expect(opened.opener).toBeNull()
  const url = new URL(openWindow.mock.calls[0]?.[0] ?? '')
  expect(url.origin + url.pathname).toBe('https://x.com/intent/tweet')
  expect(url.searchParams.get('text')).toBe('Hello')
  expect(url.searchParams.get('url')).toBe(link)
  expect(url.searchParams.get('hashtags')).toBe('Glitter,AI')
})

it('copies text, link and hashtags when the window is blocked', async () => {
  const copyText = vi.fn(() => Promise.resolve())
  stubBrowser(() => null, copyText)
  expect(await shareOnX('Hello', link)).toBe('tweetCopied')
  expect(copyText).toHaveBeenCalledWith(`Hello ${link} #Glitter #AI`)
})

it('has failed when neither works', async () => {
  const copyText = () => Promise.reject(new Error('denied'))
  stubBrowser(() => null, copyText)
  await expect(shareOnX('Hello', link)).rejects.toThrow('denied')
})
