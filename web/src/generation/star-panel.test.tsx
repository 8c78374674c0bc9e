import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { LanguageProvider } from '../ui/language.tsx'
import { registerCatalogue } from '../ui/messages/catalogues.ts'
import messages from '@starside/contract/texts/en/dashboard.json'
import { StarPanel } from './star-panels.tsx'
import { defaultStarImage, StarPicture } from './star-picture.tsx'
import { testStar } from './testing/test-star.ts'

beforeAll(() => registerCatalogue('dashboard', 'en', messages))
afterEach(() => document.body.replaceChildren())

async function show(
  stars: CelebrityPreset[],
  presetId: string | null = null,
  nextCursor: string | null = null,
  disabled = false,
) {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false } },
  })
  client.setQueryData(['presets'], {
    pages: [{ success: true, presets: stars, nextCursor }],
    pageParams: [null],
  })
  const onPreset = vi.fn()
  const preset = stars.find(({ id }) => id === presetId)
  const star = {
    chosen: { custom: null, presetId, preset },
    choosePreset: onPreset,
    choosePhoto: vi.fn(),
    chooseFace: vi.fn(),
    clear: vi.fn(),
    restore: vi.fn(),
  }
  await act(async () =>
    render(
      <LanguageProvider initial="en">
        <QueryClientProvider client={client}>
          <StarPanel number="2" star={star} takenId={null} disabled={disabled} />
        </QueryClientProvider>
      </LanguageProvider>,
    ),
  )
  return { onPreset, user: userEvent.setup() }
}
const button = (name: string) => screen.getByRole('button', { name })
const manyStars = Array.from({ length: 20 }, (_, index) =>
  testStar({
    id: `star-${index}`,
    name: `Star ${index}`,
    category: index < 10 ? 'music' : 'sport',
    line: { en: `known for ${index}`, es: '-', zh: '-' },
  }),
)

it('shows a preset’s small picture, or else its own', async () => {
  await show([testStar({ id: 'a', thumbnail: { avif: null, jpeg: '/small.jpg' } })])
  const picture = within(button('Ada Vale')).getByRole('presentation')
  expect(picture.getAttribute('src')).toBe('/small.jpg')
  document.body.replaceChildren()
  await show([testStar()])
  expect(within(button('Ada Vale')).getByRole('presentation').getAttribute('src')).toBe(
    '/api/presets/ada-vale.jpg',
  )
})

it('shows the default star where a preset has no picture', async () => {
  await show([testStar({ image: '' })])
  const picture = within(button('Ada Vale')).getByRole('presentation')
  expect(picture.getAttribute('src')).toBe(defaultStarImage)
})

it('says "Image unavailable" with the name where the picture does not load', async () => {
  await show([testStar()])
  const star = within(button('Ada Vale'))
  fireEvent.error(star.getByRole('presentation'))
  expect(star.getByText('Image unavailable').textContent).toContain('Ada Vale')
})

it('shows the next star’s picture though that of the one before did not load', async () => {
  const shown = (star: CelebrityPreset) => (
    <LanguageProvider initial="en">
      <StarPicture star={star} alt={star.name} />
    </LanguageProvider>
  )
  const { rerender } = render(shown(testStar()))
  fireEvent.error(screen.getByRole('img', { name: 'Ada Vale' }))
  expect(screen.queryByRole('img')).toBeNull()
  rerender(shown(testStar({ name: 'Bo West', image: '/bo.jpg' })))
  expect(screen.getByRole('img', { name: 'Bo West' }).getAttribute('src')).toBe('/bo.jpg')
})

it('tells the name of each star and describes it by its line', async () => {
  await show(manyStars)
  const star = button('Star 3')
  expect(star.title).toBe('known for 3')
})

it('is one stop for the Tab key, and arrow keys go from star to star', async () => {
  const { user, onPreset } = await show(manyStars, 'star-2')
  button('Star 2').focus()
  await user.keyboard('{ArrowRight}')
  expect(document.activeElement).toBe(button('Star 3'))
  await user.keyboard('{End}')
  expect(document.activeElement).toBe(button('Star 19'))
  await user.keyboard('{ArrowRight}{Home}{Enter}')
  expect(onPreset).toHaveBeenCalledWith('star-0')
  const stops = screen.getAllByRole('button', { name: /^Star/ }).filter((one) => one.tabIndex === 0)
  expect(stops).toEqual([button('Star 0')])
})

it('can be searched and narrowed from twenty stars on', async () => {
  const { user } = await show(manyStars)
  const category = screen.getByLabelText<HTMLSelectElement>('Category')
  expect(
    [...category.options].map(({ value }) => value).filter((value) => value !== ''),
    'those that there are stars of',
  ).toEqual(['music', 'sport'])
  await user.selectOptions(category, 'Sport')
  expect(screen.getAllByRole('button', { name: /^Star/ })).toHaveLength(10)
  await user.type(screen.getByRole('searchbox', { name: 'Search the stars' }), '15')
  expect(button('Star 15').tabIndex).toBe(0)
  button('Star 15').focus()
  await user.clear(screen.getByRole('searchbox'))
  await user.type(screen.getByRole('searchbox'), '12')
  expect(button('Star 12').tabIndex, 'the one that had the focus is gone').toBe(0)
  await user.type(screen.getByRole('searchbox'), 'x')
  expect(screen.getByText('No star matches.')).toBeTruthy()
  await user.click(button('Show all stars'))
  expect(screen.getAllByRole('button', { name: /^Star/ })).toHaveLength(20)
})

it('keeps the category while a star is searched, and the words while the category is changed', async () => {
  await show(manyStars)
  const titles = () =>
    [...document.querySelectorAll('.star-grid [title]')].map((star) => star.getAttribute('title'))
  const choose = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  choose('Category', 'sport')
  choose('Search the stars', '5')
  expect(titles()).toEqual(['known for 15'])
  choose('Category', 'music')
  expect(titles()).toEqual(['known for 5'])
})

it('needs no search where all stars can be seen at once', async () => {
  await show(manyStars.slice(0, 19))
  expect(screen.queryByRole('searchbox')).toBeNull()
})

it('says once that the stars are made by a model, but not of an operator’s real ones', async () => {
  await show(manyStars)
  expect(screen.getAllByText(messages.starsAiGenerated)).toHaveLength(1)
  document.body.replaceChildren()
  await show([...manyStars, testStar({ id: 'real', aiGenerated: false })])
  expect(screen.queryByText(messages.starsAiGenerated)).toBeNull()
})

it('asks the server for what is searched where it has more stars than are here', async () => {
  const here = Array.from({ length: 20 }, (_, n) => testStar({ id: `s${n}`, name: `Star ${n}` }))
  const asked: string[] = []
  const { promise: isSeen, resolve: see } = Promise.withResolvers<void>()
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(new URL(address, 'http://host').search)
    await isSeen
    const presets = [testStar({ id: 'far', name: 'Far Away' })]
    return Response.json({ success: true, presets, nextCursor: null })
  })
  const { user, onPreset } = await show(here, null, 's19')
  await user.type(screen.getByRole('searchbox'), 'far')
  await screen.findByRole('button', { name: messages.loadingMore })
  see()
  const found = await screen.findByRole('button', { name: /Far Away/ })
  await user.click(found)
  expect(onPreset).toHaveBeenCalledWith('far')
  expect(asked.some((search) => search.includes('q=far'))).toBe(true)
  vi.unstubAllGlobals()
})

it('asks for the next page once, however often it is pressed', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(new URL(address, 'http://host').search)
    return new Promise(() => {})
  })
  const { user } = await show([testStar()], null, 'next')
  await user.click(button(messages.loadMore))
  await user.click(button(messages.loadingMore))
  expect(asked).toEqual(['?action=presets&cursor=next'])
  vi.unstubAllGlobals()
})

it('keeps the stars that are there where the next page does not come, which can be asked for again', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ success: false }, { status: 500 }))
  const { user } = await show([testStar()], null, 'next')
  await user.click(button(messages.loadMore))
  await screen.findByRole('button', { name: messages.loadMore })
  expect(button('Ada Vale')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
  vi.unstubAllGlobals()
})

it('a press anywhere in an empty frame opens the file field', async () => {
  const { user } = await show([testStar()])
  const pressed = vi.fn()
  const field = screen.getByLabelText(`PERSON 2: ${messages.uploadPhoto}`, { selector: 'input' })
  field.addEventListener('click', pressed)
  await user.click(screen.getByText(messages.dropStarHere))
  expect(pressed).toHaveBeenCalledOnce()
})

it.each([
  ['is taken', false],
  ['is not taken while a selfie is made', true],
])('a file that is dropped on it %s', async (_how, disabled) => {
  await show([testStar()], null, null, disabled)
  const panel = screen.getByRole('region', { name: 'PERSON 2' })
  const dataTransfer = { types: ['Files'], files: [] }
  expect(fireEvent.dragOver(panel, { dataTransfer }), 'left to the browser').toBe(disabled)
})
