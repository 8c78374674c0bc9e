import { fireEvent, render, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import * as publicSettings from '../api/public-settings.ts'
import { testSettings } from '../api/testing/test-settings.ts'
import { AuthContext } from '../auth/auth-context.ts'
import { testAuth, testProfile } from '../auth/testing/test-auth.ts'
import { LanguageProvider } from '../ui/language.tsx'
import type { Wishes } from './gather-request.ts'
import type { Missing } from './photo-fitness.ts'
import { GenerateBar } from './studio.tsx'
import { barChoices } from './testing/bar-choices.ts'

interface Chosen {
  hasPhoto: boolean
  stars: readonly (boolean | 'own')[]
  creditsBalance: number
  faces?: number[]
  borrowed?: boolean
  busy?: boolean
  missing?: Missing
  advice?: Missing
  wishes?: Partial<Wishes>
}

const change = vi.fn()

function open(
  { creditsBalance, busy = false, ...chosen }: Chosen,
  onGenerate = () => undefined as void,
): void {
  const isReady = chosen.hasPhoto && chosen.stars.every(Boolean)
  const missing = isReady ? null : { sentence: 'Add it.', at: 'person-1', format: undefined }
  render(
    <LanguageProvider initial="en">
      <AuthContext value={{ ...testAuth, user: { ...testProfile, creditsBalance } }}>
        <GenerateBar
          choices={barChoices({ missing, change, ...chosen })}
          disabled={busy}
          onGenerate={onGenerate}
        />
      </AuthContext>
    </LanguageProvider>,
  )
}

const generate = () => screen.getByRole('button', { name: 'Generate Celebrity Selfie' })

test.each([
  ['Add your photo', '#person-1', { hasPhoto: false, stars: [false] }],
  ['Add your photo', '#person-1', { hasPhoto: false, stars: [true] }],
  ['Pick a star', '#stars', { hasPhoto: true, stars: [false] }],
  ['Pick a star', '#stars', { hasPhoto: true, stars: [false, true] }],
  ['Pick another', '#second-stars', { hasPhoto: true, stars: [true, false] }],
])('the next step is to %s, and the bar leads to %s', (name, address, chosen) => {
  open({ ...chosen, creditsBalance: 1 })
  const step = screen.getByRole('listitem', { current: 'step' })
  const link = within(step).getByRole('link', { name })
  expect(link.getAttribute('href')).toBe(address)
  const ticks = screen.queryAllByText('✓')
  expect(ticks).toHaveLength([chosen.hasPhoto, ...chosen.stars].filter(Boolean).length)
})

test('the steps of the bar are numbered one after the other, also with a second star', () => {
  open({ hasPhoto: false, stars: [false, false], creditsBalance: 1 })
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '1Add your photo',
    '2Pick a star',
    '3Pick another',
    '4Generate',
  ])
})

test.each([
  ['you and a star', {}, ['You', 'Ada Vale']],
  ['you and two stars', { stars: [true, true] }, ['You', 'Ada Vale', 'Bo Reed']],
  ['a star of your own', { stars: [true, 'own'] as const }, ['You', 'Ada Vale', 'Your star']],
  ['two of them', { stars: ['own', 'own'] as const }, ['You', 'Your star 1', 'Your star 2']],
  ['two of your photo', { faces: [0, 1] }, ['2 from your photo', 'Ada Vale']],
  ['a borrowed face', { borrowed: true }, ['Sample face', 'Ada Vale']],
  ['a star alone', { hasPhoto: false }, ['Add your photo', 'Ada Vale']],
])('who will be in the picture stands beside its price: %s', (_who, chosen, names) => {
  open({ hasPhoto: true, stars: [true], creditsBalance: 1, ...chosen })
  const links = within(screen.getByRole('list')).getAllByRole('link')
  expect(links.map(({ textContent }) => textContent)).toEqual(names)
})

test('with both chosen the next step is the main button, which names its price', () => {
  open({ hasPhoto: true, stars: [true], creditsBalance: 1 })
  expect(screen.getByRole('listitem', { current: 'step' }).textContent).toContain('Generate')
  expect(generate().className).toContain('button-main')
  expect(screen.getByText('1 credit')).toBeTruthy()
})

test('without credits the main button is the one that leads to more', () => {
  open({ hasPhoto: true, stars: [true], creditsBalance: 0 })
  const link = screen.getByRole('link', { name: 'Get more credits' })
  expect(link.getAttribute('href')).toBe('#packages')
  expect(link.className).toContain('button-main')
  expect(generate().className).not.toContain('button-main')
  expect(screen.queryByText('1 credit')).toBeNull()
})

test('while the last credit is spent nothing is said of having none', () => {
  open({ hasPhoto: true, stars: [true], creditsBalance: 0, busy: true })
  expect(screen.queryByRole('link', { name: 'Get more credits' })).toBeNull()
  expect(screen.getByText('1 credit')).toBeTruthy()
})

const wider: Missing = { sentence: 'They do not fit.', at: null, format: '16:9' }
const ready = { hasPhoto: true, stars: [true], creditsBalance: 1 }

test('the sentence of what is missing leads to it', () => {
  open({ ...ready, missing: { sentence: 'Tick the box.', at: 'consent', format: undefined } })
  const link = screen.getByRole('link', { name: 'Tick the box.' })
  expect(link.getAttribute('href')).toBe('#consent')
  expect(generate().hasAttribute('disabled')).toBe(true)
})

test('a format in which the same people would do is one press away', () => {
  open({ ...ready, missing: wider })
  expect(screen.queryByRole('link', { name: 'They do not fit.' })).toBeNull()
  screen.getByRole('button', { name: 'Use 16:9' }).click()
  expect(change).toHaveBeenLastCalledWith({ aspect: '16:9' })
})

test.each([
  ['while a selfie is made', { busy: true, missing: wider }, ''],
  [
    'of what is missing elsewhere',
    { missing: { sentence: 'Tick the box.', at: 'consent', format: undefined } },
    'Tick the box.',
  ],
  ['that would only be better', { advice: wider }, ''],
])('no other format is offered %s', (_when, state, said) => {
  open({ ...ready, ...state })
  expect(document.getElementById('why-not')?.textContent).toBe(said)
  expect(screen.queryByRole('button', { name: /^Use/ })).toBeNull()
})

test('a place that no scene shows stands beside the button, leads to the scenes, and is asked about before a credit goes', async () => {
  const settings = { ...testSettings, photoRecipients: [] }
  vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue(settings)
  const onGenerate = vi.fn()
  open({ ...ready, wishes: { scene: 'own', prompt: 'on the Great Wall of China' } }, onGenerate)
  const link = await screen.findByRole('link', { name: "We don't know this place." })
  expect(link.getAttribute('href')).toBe('#wishes')
  fireEvent.click(generate())
  expect(onGenerate).not.toHaveBeenCalled()
  expect(screen.getByRole('alert').textContent).toBe(
    "We don't know this place. Press again to leave it out.",
  )
  fireEvent.click(generate())
  expect(onGenerate).toHaveBeenCalledOnce()
})

test('a place that no scene shows is not asked about where no credit can go', () => {
  vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue(testSettings)
  const onGenerate = vi.fn()
  const wishes = { scene: 'own', prompt: 'on the Great Wall of China' } as const
  open({ ...ready, creditsBalance: 0, wishes }, onGenerate)
  fireEvent.click(generate())
  expect(onGenerate).toHaveBeenCalledOnce()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the way to the wishes names a format that is not the usual one', () => {
  open({ ...ready, advice: wider, wishes: { aspect: '16:9' } })
  expect(screen.getByRole('button', { name: 'Scene, format, look: Wide 16:9' })).toBeTruthy()
})
