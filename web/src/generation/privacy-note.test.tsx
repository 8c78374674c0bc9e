import { act, render } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as publicSettings from '../api/public-settings.ts'
import { LanguageProvider } from '../ui/language.tsx'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import { PrivacyNote } from './privacy-note.tsx'

afterEach(() => {
  vi.restoreAllMocks()
})

const settings = {
  success: true as const,
  brand: {
    name: 'Selfie',
    line: { en: '', zh: '', es: '' },
    logo: null,
    shareText: { en: '', zh: '', es: '' },
    shareTags: [],
  },
  packages: [],
  markText: 'selfie.example',
  testMoney: true,
  mailsInTerminal: false,
  contactEmail: 'hello@selfie.example',
  operator: { name: '', address: '' },
  socialUrl: '',
  communityUrl: '',
  referralBonusCredits: 2,
}

/** The whole note, in a language, for an installation whose photos go to `photoRecipients`. */
async function noteFor(language: 'en' | 'zh' | 'es', photoRecipients: string[]): Promise<string> {
  // In place of those of this page, which are asked for once.
  vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue({ ...settings, photoRecipients })
  await loadCatalogue('dashboard', language)
  const view = await act(async () =>
    render(
      <LanguageProvider initial={language}>
        <PrivacyNote />
      </LanguageProvider>,
    ),
  )
  return view.container.textContent ?? ''
}

describe('the note beside the photo', () => {
  it('promises that photos go to nobody where that is so', async () => {
    const text = await noteFor('en', [])
    expect(text).toContain('Our server deletes your photo when the selfie is done.')
    expect(text).toContain('We never look at, share or train on your photo.')
    expect(text).not.toContain('sent to')
  })

  it('promises nothing before it is known whether photos leave the server', async () => {
    vi.spyOn(publicSettings, 'loadPublicSettings').mockReturnValue(new Promise(() => {}))
    const note = (
      <LanguageProvider initial="en">
        <PrivacyNote />
      </LanguageProvider>
    )
    const { container } = await act(async () => render(note))
    expect(container.textContent).toContain(
      'Our server deletes your photo when the selfie is done.',
    )
    expect(container.textContent).not.toContain('We never')
  })

  it('says that photos leave the server and to whom, and promises nothing for others', async () => {
    const text = await noteFor('en', ['fal.ai', 'OpenAI'])
    expect(text).toContain('Your photos are also sent to fal.ai and OpenAI.')
    expect(text).toContain('Their terms decide how long they stay there')
    expect(text).not.toContain('We never')
  })

  it.each([
    ['zh', '还会发送给 fal.ai和OpenAI', '绝不查看、分享你的照片'],
    ['es', 'también se envían a fal.ai y OpenAI', 'Nunca miramos ni compartimos tu foto'],
  ] as const)('says the same in %s', async (language, told, promised) => {
    const outside = await noteFor(language, ['fal.ai', 'OpenAI'])
    expect(outside).toContain(told)
    expect(outside).not.toContain(promised)
    document.body.replaceChildren()
    expect(await noteFor(language, [])).toContain(promised)
  })
})
