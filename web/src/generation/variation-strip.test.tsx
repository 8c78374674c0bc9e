import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { VariationItem } from '@starside/contract/variations.ts'
import { act, render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import { LanguageProvider } from '../ui/language.tsx'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import messages from '@starside/contract/texts/en/variations.json'
import { testSelfie } from './test-selfie.ts'
import { VariationStrip } from './variation-strip.tsx'

beforeAll(async () => {
  await Promise.all([loadCatalogue('dashboard', 'en'), loadCatalogue('variations', 'en')])
})

const hosted = (
  variationId: string,
  isChosen: boolean,
  look: VariationItem['look'] = 'natural',
): VariationItem => ({
  variationId,
  source: 'made',
  arrangement: null,
  look,
  isChosen,
  isRendered: true,
  imageUrl: `/${variationId}.jpg`,
  thumbnailUrl: `/${variationId}-small.jpg`,
  downloadUrl: `/${variationId}.png`,
  widthPx: 1024,
  heightPx: 1280,
})

async function show(variations: VariationItem[]) {
  const item = { ...testSelfie, variations }
  await act(async () =>
    render(
      <QueryClientProvider client={new QueryClient()}>
        <LanguageProvider initial="en">
          <VariationStrip item={item} buttonClass="button" onItem={() => {}} />
        </LanguageProvider>
      </QueryClientProvider>,
    ),
  )
}

it('shows several pictures of a hosted model to choose from, and says that there is no editor', async () => {
  await show([hosted('a', true), hosted('b', false)])
  const pictures = await screen.findAllByRole('img')
  const names = pictures.map((image) => image.getAttribute('alt'))
  expect(names).toEqual(['Version 1: best', 'Version 2: another picture'])
  expect(screen.getByText(messages.noParts)).toBeDefined()
  expect(screen.queryByRole('button', { name: messages.adjust })).toBeNull()
})

it('names the looks of one picture by what they are', async () => {
  await show([hosted('a', true), hosted('b', false, 'black-and-white'), hosted('c', false, 'warm')])
  const pictures = await screen.findAllByRole('img')
  expect(pictures.slice(1).map((image) => image.getAttribute('alt'))).toEqual([
    'Version 2: Black and white',
    'Version 3: Warm',
  ])
})

it('says so of a hosted model’s only picture too', async () => {
  await show([])
  expect(await screen.findByText(messages.noParts)).toBeDefined()
})
