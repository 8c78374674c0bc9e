// @vitest-environment happy-dom
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import defaultStar from '../assets/example/star-480.jpg'
import { LanguageProvider } from '../ui/language.tsx'
import { registerCatalogue } from '../ui/messages/catalogues.ts'
import { messages } from '../ui/messages/dashboard.en.ts'
import { StarPanel } from './star-panel.tsx'

beforeAll(() => registerCatalogue('dashboard', 'en', messages))
afterEach(() => document.body.replaceChildren())

const star = (image: string): CelebrityPreset => ({
  id: 'elena-vassandri',
  name: 'Elena Vassandri',
  image,
  licence: 'CC0 1.0',
  attribution: 'Starside',
  thumbnail: { avif: null, jpeg: '/api/presets/elena-vassandri.thumbnail.jpg' },
  category: 'screen',
  line: null,
  aiGenerated: true,
})
const pictureOf = async (preset: CelebrityPreset) => {
  const custom = { photo: null, choose: vi.fn(), clear: vi.fn(), chooseFace: vi.fn() }
  await act(async () =>
    render(
      <LanguageProvider initial="en">
        <StarPanel
          custom={custom}
          presets={{ state: 'ready', list: [preset] }}
          presetId={null}
          disabled={false}
          onPreset={vi.fn()}
        />
      </LanguageProvider>,
    ),
  )
  return within(screen.getByRole('button', { name: /Elena Vassandri/ }))
}

it('shows a preset’s own picture', async () => {
  const button = await pictureOf(star('/api/presets/elena-vassandri.jpg'))
  expect(button.getByRole('presentation').getAttribute('src')).toBe(
    '/api/presets/elena-vassandri.jpg',
  )
})

it('shows the default star where a preset has no picture', async () => {
  const button = await pictureOf(star(''))
  expect(button.getByRole('presentation').getAttribute('src')).toBe(defaultStar)
})

it('says "Image unavailable" with the name where the picture does not load', async () => {
  const button = await pictureOf(star('/api/presets/gone.jpg'))
  fireEvent.error(button.getByRole('presentation'))
  expect(button.getByText('Image unavailable').textContent).toContain('Elena Vassandri')
})
