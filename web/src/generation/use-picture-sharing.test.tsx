import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AuthContext } from '../auth/auth-context.ts'
import { testAuth, testProfile } from '../auth/testing/test-auth.ts'
import { LanguageProvider } from '../ui/language.tsx'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import { testSelfie } from './testing/test-selfie.ts'
import { usePictureSharing } from './use-picture-sharing.ts'

let pictures: Map<string, (bytes: string) => Promise<void>>
let shared: string[]
beforeEach(async () => {
  pictures = new Map()
  shared = []
  vi.stubGlobal('fetch', (address: string) => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    pictures.set(address, (bytes) =>
      act(async () => {
        resolve(new Response(bytes))
        await new Promise((done) => void setImmediate(done))
      }),
    )
    return promise
  })
  vi.stubGlobal('navigator', {
    canShare: () => true,
    share: async ({ files }: { files: File[] }) => void shared.push((await files[0]?.text()) ?? ''),
  })
})
afterEach(() => vi.unstubAllGlobals())

const wrapper = ({ children }: { children: ReactNode }) => (
  <LanguageProvider initial="en">
    <AuthContext value={testAuth}>{children}</AuthContext>
  </LanguageProvider>
)
const open = (imageUrl: string) =>
  renderHook((url: string) => usePictureSharing(url, testSelfie), {
    wrapper,
    initialProps: imageUrl,
  })

it('hands on the version that is shown, though that of before comes after it', async () => {
  const { result, rerender } = open('/first.jpg')
  expect(result.current.shareFile).toBeNull()
  rerender('/second.jpg')
  await pictures.get('/second.jpg')?.('second')
  await pictures.get('/first.jpg')?.('first')
  await act(async () => result.current.shareFile?.())
  expect(shared).toEqual(['second'])
})

it('hands on nothing while the version that is shown has not come', async () => {
  const { result, rerender } = open('/first.jpg')
  await pictures.get('/first.jpg')?.('first')
  expect(result.current.shareFile).not.toBeNull()
  rerender('/second.jpg')
  expect(result.current.shareFile).toBeNull()
})

it('says that it failed, and says so no more once it is saved', async () => {
  const { result } = open('/first.jpg')
  vi.stubGlobal('fetch', async () => new Response('', { status: 500 }))
  await act(() => result.current.download())
  expect(result.current.error).not.toBeNull()
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  act(() => void result.current.download())
  expect(result.current.error).toBeNull()
})

it('a picture that does not come can’t be handed on', async () => {
  vi.stubGlobal('fetch', async () => new Response('<h1>Gone</h1>', { status: 410 }))
  const { result } = open('/gone.jpg')
  await act(async () => new Promise((done) => void setTimeout(done)))
  expect(result.current.shareFile).toBeNull()
})

it('that it could not be shared is said no more once it is tried again', async () => {
  const { result } = open('/first.jpg')
  vi.stubGlobal('open', () => {
    throw new Error('no')
  })
  await act(() => result.current.share())
  expect(result.current.error).toBe('Failed to share on X. Please try again.')
  vi.stubGlobal('open', () => ({ opener: null }))
  await act(() => result.current.share())
  expect(result.current.error).toBeNull()
  expect(result.current.notice).not.toBeNull()
})

const wrapperIn =
  (language: 'en' | 'es', referralCode: string | null) =>
  ({ children }: { children: ReactNode }) => (
    <LanguageProvider initial={language}>
      <AuthContext value={{ ...testAuth, user: { ...testProfile, referralCode: referralCode! } }}>
        {children}
      </AuthContext>
    </LanguageProvider>
  )

it.each([
  [
    'the picture’s own, in the language of the reader',
    'es',
    'https://a.example/?selfie=A',
    /[?&]lang=es/,
  ],
  ['the invitation of who has a code', 'en', null, /[?&]ref=ADA12345$/],
] as const)('the link that goes along is %s', async (_what, language, shareUrl, expected) => {
  await Promise.all([loadCatalogue('dashboard', language), loadCatalogue('shell', language)])
  const item = { ...testSelfie, shareUrl }
  const inLanguage = wrapperIn(language, 'ADA12345')
  const { result } = renderHook(() => usePictureSharing('/one.jpg', item), { wrapper: inLanguage })
  expect(result.current.link).toMatch(expected)
})

it('a picture is saved by a name of its own', async () => {
  vi.stubGlobal('fetch', async () => new Response('bytes'))
  const saved: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download)
  })
  const { result } = open('/first.jpg')
  await act(() => result.current.download())
  expect(saved).toEqual([expect.stringMatching(/^celebrity-selfie-\d+\.png$/)])
  click.mockRestore()
})
