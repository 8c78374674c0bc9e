import type { GenerationItem } from '@starside/contract/generation.ts'
import { customCelebrity } from '@starside/contract/limits.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import { settle, show } from '../auth/testing/show.tsx'
import { GalleryPage, Gallery } from './gallery.tsx'
import { testSelfie } from './testing/test-selfie.ts'

let questions: HeldQuestion[]
beforeEach(() => {
  questions = holdQuestions()
})
afterEach(() => {
  vi.unstubAllGlobals()
  history.replaceState(null, '', '/')
})

const selfies = (count: number): GenerationItem[] =>
  Array.from({ length: count }, (_, index) => ({
    ...testSelfie,
    generationId: `selfie-${index}`,
    thumbnailUrl: `/${index}-small.jpg`,
  }))
const page = (items: GenerationItem[], more: object = {}) => ({
  success: true,
  items,
  total: items.length,
  stars: ['Elena Vassandri'],
  nextCursor: null,
  ...more,
})
const answer = async (index: number, json: object) => {
  await questions[index]?.answer(json)
  await settle()
}
const fail = async (index: number) => {
  await questions[index]?.fail()
  await settle()
}
const frames = () => [...document.querySelectorAll<HTMLElement>('[data-frame]')]
const button = (name: string | RegExp) => screen.queryByRole('button', { name })
const press = async (name: string | RegExp) =>
  fireEvent.click(await screen.findByRole('button', { name }))

it('says that it loads, that it is empty, and that it failed, and asks anew when told to', async () => {
  await show(<Gallery />)
  expect(screen.getByText('Loading your selfies...').getAttribute('role')).toBe('status')
  await fail(0)
  expect(screen.getByText(/could not be loaded/).getAttribute('role')).toBe('alert')
  expect(screen.queryByText('Loading your selfies...')).toBeNull()
  await press('Try again')
  await answer(1, page([]))
  expect(screen.getByText('No selfies yet. Yours will appear here.')).toBeTruthy()
  expect(screen.queryByText(/could not be loaded/)).toBeNull()
})

it('names each selfie by star and time', async () => {
  await show(<Gallery />)
  const [first, second] = selfies(2) as [GenerationItem, GenerationItem]
  await answer(0, page([first, { ...second, shareUrl: 'https://host/?selfie=A' }], { total: 7 }))
  const caption = expect.stringMatching(/^Elena Vassandri[A-Z][a-z]+ \d+, 2026$/)
  const shared = expect.stringMatching(/^LINK ONElena Vassandri/)
  expect(frames().map(({ textContent }) => textContent)).toEqual([caption, shared])
  const [newest] = screen.getAllByRole('img')
  expect(newest?.getAttribute('alt')).toMatch(/^Selfie with Elena Vassandri, .*2026/)
  expect(newest?.getAttribute('src')).toBe('/0-small.jpg')
})

it('shows a selfie as the version that is chosen, and names the one that its link shows', async () => {
  await show(<Gallery />)
  const [selfie] = selfies(1) as [GenerationItem]
  const size = { widthPx: 1024, heightPx: 1280 }
  const made = { source: 'made', arrangement: null, look: 'natural', isRendered: true } as const
  const pictures = { imageUrl: '', thumbnailUrl: '/a-small.jpg', downloadUrl: null }
  const variations = [
    { ...made, ...size, ...pictures, variationId: 'a', isChosen: false, isShared: true },
    { ...made, ...size, ...pictures, variationId: 'b', isChosen: true },
  ]
  const shared = { thumbnailUrl: '/b-small.jpg', shareUrl: 'https://host/?selfie=A', variations }
  await answer(0, page([{ ...selfie, ...shared }]))
  expect(screen.getByRole('img').getAttribute('src')).toBe('/b-small.jpg')
  expect(frames()[0]?.textContent).toMatch(/^LINK: VERSION 1Elena/)
})

it('shows what is under way, which can not be opened yet', async () => {
  const [first] = selfies(1) as [GenerationItem]
  const unfinished = { imageUrl: null, thumbnailUrl: null, downloadUrl: null }
  await show(<Gallery />)
  await answer(0, page([{ ...first, ...unfinished, state: 'running' }]))
  const [running] = frames() as [HTMLElement]
  expect(running.textContent).toMatch(/^In progressElena Vassandri[A-Z]/)
  expect(within(running).queryByRole('button')).toBeNull()
})

it('shows selfies of every format whole, as wide in their row as they are', async () => {
  await show(<Gallery />)
  const [square, wide] = selfies(2) as [GenerationItem, GenerationItem]
  const sizes = [
    { widthPx: 1024, heightPx: 1024 },
    { widthPx: 1600, heightPx: 900 },
  ] as const
  await answer(
    0,
    page([
      { ...square, ...sizes[0] },
      { ...wide, ...sizes[1] },
    ]),
  )
  const aspects = frames().map(({ style }) => Number(style.getPropertyValue('--aspect')))
  expect(aspects).toEqual([1, 1600 / 900])
})

it('asks for the next page when told to, and no longer once there is none', async () => {
  await show(<Gallery star="Elena Vassandri" />)
  expect(questions[0]?.address).toBe('/api/generations?star=Elena+Vassandri')
  await answer(0, page(selfies(2), { total: 3, nextCursor: 'behind' }))
  await press('Show more')
  expect(questions[1]?.address).toContain('cursor=behind')
  await answer(1, page([{ ...testSelfie, generationId: 'oldest' }]))
  expect(frames()).toHaveLength(3)
  expect(button('Show more')).toBeNull()
})

it('as a preview shows the newest four, without a way to more', async () => {
  await show(<Gallery isPreview />)
  await answer(0, page(selfies(5), { nextCursor: 'behind' }))
  expect(frames()).toHaveLength(4)
  expect(button('Show more')).toBeNull()
})

it('keeps what is there when a later page fails', async () => {
  await show(<Gallery />)
  await answer(0, page(selfies(2), { total: 3, nextCursor: 'behind' }))
  await press('Show more')
  await fail(1)
  expect(frames()).toHaveLength(2)
  expect(screen.getByText(/could not be loaded/)).toBeTruthy()
})

it('a picture that the address opens is looked for on further pages', async () => {
  history.replaceState(null, '', '/?selfie=oldest')
  await show(<Gallery />)
  const [first, second, oldest] = [...selfies(2), { ...testSelfie, generationId: 'oldest' }]
  for (const [index, item] of [first, second, oldest].entries()) {
    expect(screen.queryByRole('dialog')).toBeNull()
    await waitFor(() => expect(questions.length).toBeGreaterThan(index))
    await answer(
      index,
      page([item!], { total: 3, nextCursor: item === oldest ? null : `${index}` }),
    )
  }
  expect(await screen.findByText('3 of 3')).toBeTruthy()
  expect(questions.at(-1)?.address).toContain('cursor=1')
})

it('a picture opens large with its place, and turns to its neighbours', async () => {
  history.replaceState(null, '', '/?selfie=selfie-1')
  await show(<Gallery />)
  await answer(0, page(selfies(3)))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText('2 of 3')).toBeTruthy()
  fireEvent.click(within(dialog).getByRole('button', { name: 'Next selfie' }))
  expect(within(dialog).getByText('3 of 3')).toBeTruthy()
  fireEvent.keyDown(within(dialog).getByText('3 of 3'), { key: 'ArrowLeft' })
  fireEvent.keyDown(within(dialog).getByText('2 of 3'), { key: 'ArrowLeft' })
  expect(within(dialog).getByText('1 of 3')).toBeTruthy()
  const isOff = (name: string) =>
    within(dialog).getByRole('button', { name }).getAttribute('aria-disabled')
  expect([isOff('Previous selfie'), isOff('Next selfie')]).toEqual(['true', 'false'])
  await press('Close')
  expect(screen.queryByRole('dialog')).toBeNull()
})

const openFirst = async (): Promise<HTMLElement> => {
  fireEvent.click(screen.getAllByRole('button', { name: /^Selfie with Elena/ })[0]!)
  return await screen.findByRole('dialog')
}
const deleteOpen = () =>
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))

it('in place of a picture that is deleted stands the next, at the end the one before; after the last it closes', async () => {
  await show(<Gallery />)
  await answer(0, page(selfies(3)))
  const dialog = await openFirst()
  fireEvent.click(within(dialog).getByRole('button', { name: 'Next selfie' }))
  const removed = async (id: string) => {
    const deletion = questions.at(-1)
    expect(deletion).toMatchObject({ method: 'DELETE', address: `/api/generations/${id}` })
    await deletion?.answer({ success: true })
    await settle()
  }
  deleteOpen()
  expect(location.search).toBe('?selfie=selfie-2')
  deleteOpen()
  expect(location.search, 'the next one stays while the first is under way').toBe(
    '?selfie=selfie-2',
  )
  await removed('selfie-1')
  expect(within(dialog).getByText('The picture was deleted.').getAttribute('role')).toBe('status')
  expect(within(dialog).getByRole('button', { name: 'Undo (30 s)' })).toBeTruthy()
  expect(document.activeElement, 'no further key deletes').toBe(
    dialog.querySelector('[tabindex="-1"]'),
  )
  const asked = questions.length
  const twice = within(dialog).getByRole('button', { name: 'Delete' })
  fireEvent.click(twice, { detail: 2 })
  expect(questions.length, 'the second press of a double one').toBe(asked)
  deleteOpen()
  expect(location.search).toBe('?selfie=selfie-0')
  await removed('selfie-2')
  deleteOpen()
  expect(screen.queryByRole('dialog')).toBeNull()
  await removed('selfie-0')
  await press('Undo (30 s)')
  expect(document.activeElement, 'the focus stays with the pictures').toBe(
    document.querySelector('.film-strip [tabindex="-1"]'),
  )
  expect(questions.at(-1)?.address).toBe('/api/generations/selfie-0/restore')
})

it('a picture is brought back while another one is open', async () => {
  await show(<Gallery />)
  await answer(0, page(selfies(2)))
  const dialog = await openFirst()
  deleteOpen()
  await answer(1, { success: true })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Undo (30 s)' }))
  expect(document.activeElement).toBe(dialog.querySelector('[tabindex="-1"]'))
  expect(questions.at(-1)).toMatchObject({
    method: 'POST',
    address: '/api/generations/selfie-0/restore',
  })
  expect(button('Undo (30 s)')).toBeNull()
})

it('another star takes the place of the one before in the history', async () => {
  history.replaceState(null, '', '/gallery')
  await show(<GalleryPage />)
  await answer(0, page(selfies(1), { stars: ['Ada Vale', 'Elena Vassandri'] }))
  const entries = history.length
  fireEvent.change(screen.getByRole('combobox', { name: 'Star' }), {
    target: { value: 'Ada Vale' },
  })
  expect([location.search, history.length]).toEqual(['?star=Ada+Vale', entries])
})

it('the star of the address stands in the list of stars, also one that has no selfies left', async () => {
  history.replaceState(null, '', '/gallery?star=Bo+Gone')
  await show(<GalleryPage />)
  await answer(0, page([], { stars: ['Ada Vale', 'Elena Vassandri'] }))
  const list = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Star' })
  const named = [...list.options].map(({ value }) => value)
  expect(named).toEqual(['', 'Bo Gone', 'Ada Vale', 'Elena Vassandri'])
  expect(list.value).toBe('Bo Gone')
})

it('who turns from picture to picture passes over what has none, and stays with the star', async () => {
  history.replaceState(null, '', '/gallery?star=Elena+Vassandri')
  await show(<Gallery star="Elena Vassandri" />)
  const [first, second, third] = selfies(3) as [GenerationItem, GenerationItem, GenerationItem]
  const running = { ...second, state: 'running' as const, imageUrl: null, thumbnailUrl: null }
  await answer(0, page([first, running, third]))
  fireEvent.click(screen.getAllByRole('button', { name: /^Selfie with Elena/ })[0]!)
  expect(location.search).toBe('?star=Elena+Vassandri&selfie=selfie-0')
  await press('Next selfie')
  expect(location.search).toBe('?star=Elena+Vassandri&selfie=selfie-2')
})

it('the last one that is loaded has a next one to turn to, which is asked for once it is open', async () => {
  await show(<Gallery />)
  await answer(0, page(selfies(2), { total: 9, nextCursor: 'behind' }))
  expect(questions, 'nothing is open').toHaveLength(1)
  fireEvent.click(screen.getAllByRole('button', { name: /^Selfie with Elena/ })[1]!)
  await settle()
  expect(questions.at(-1)?.address).toContain('cursor=behind')
  expect(screen.getByText('2 of 9')).toBeTruthy()
  await fail(1)
  expect(questions, 'what has failed is not asked for again and again').toHaveLength(2)
})

it('a deletion that fails is told of, and one that succeeds leaves the focus at its neighbour', async () => {
  await show(<Gallery />)
  await answer(0, page(selfies(2)))
  await openFirst()
  deleteOpen()
  await fail(1)
  expect(screen.getByText('No connection: the picture could not be deleted.')).toBeTruthy()
  expect(frames()).toHaveLength(2)
  await press('Previous selfie')
  deleteOpen()
  await answer(2, { success: true })
  expect(frames()).toHaveLength(1)
  await press('Close')
  await settle()
  expect(document.activeElement).toBe(frames()[0]?.querySelector('button'))
})

it('what becomes of a picture in its window is seen among the others', async () => {
  await show(<Gallery />)
  await answer(0, page(selfies(2)))
  fireEvent.click(screen.getAllByRole('button', { name: /^Selfie with Elena/ })[0]!)
  fireEvent.click(screen.getByRole('button', { name: /^More/ }))
  fireEvent.click(await screen.findByRole('button', { name: 'Make public and copy link' }))
  const shared = { ...selfies(1)[0]!, shareUrl: 'https://selfie.example/?selfie=A' }
  await answer(1, { success: true, generation: shared })
  expect(frames().map((frame) => frame.textContent.includes('LINK ON'))).toEqual([true, false])
})

it('with one star there is no choice among stars; the way back leads to the dashboard', async () => {
  history.replaceState(null, '', '/gallery')
  await show(<GalleryPage />)
  await answer(0, page(selfies(1)))
  expect(screen.queryByRole('combobox', { name: 'Star' })).toBeNull()
  const back = screen.getByRole('link', { name: 'Back to the dashboard' })
  expect(back.getAttribute('href')).toBe('/dashboard')
})

it('photos of one’s own are called so among the stars', async () => {
  history.replaceState(null, '', '/gallery')
  await show(<GalleryPage />)
  await answer(0, page(selfies(1), { stars: [customCelebrity, 'Elena Vassandri'] }))
  const list = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Star' })
  const options = [...list.options].map(({ text }) => text)
  expect(options).toEqual(['All stars', 'Your star', 'Elena Vassandri'])
})

it('the order is chosen beside the star, stays in the address with it, and the newest first need no word there', async () => {
  history.replaceState(null, '', '/gallery?star=Elena+Vassandri')
  await show(<GalleryPage />)
  await answer(0, page(selfies(2), { stars: ['Bo', 'Elena Vassandri'] }))
  const order = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Sort by' })
  expect([...order.options].map(({ text }) => text)).toEqual(['Newest first', 'Oldest first'])
  fireEvent.change(order, { target: { value: 'oldest' } })
  await settle()
  expect(order.isConnected, 'it keeps the focus while the list comes').toBe(true)
  expect(location.search).toBe('?star=Elena+Vassandri&order=oldest')
  expect(questions.at(-1)?.address).toBe('/api/generations?star=Elena+Vassandri&order=oldest')
  expect(order.value).toBe('oldest')
  fireEvent.change(order, { target: { value: '' } })
  await settle()
  expect(location.search).toBe('?star=Elena+Vassandri')
})

it('a picture of nobody with a name is one with your star, whose line begins with a capital', async () => {
  await show(<Gallery />)
  await answer(0, page([{ ...selfies(1)[0]!, celebrities: [customCelebrity] }]))
  const [frame] = frames()
  expect(frame?.querySelector('img')?.alt).toMatch(/^Selfie with your star, /)
  expect(screen.getByText('your star').className).toContain('first-letter:uppercase')
})

it('who undoes a deletion in a picture’s window stands on what came back', async () => {
  await show(<Gallery />)
  await answer(0, page(selfies(3)))
  await openFirst()
  deleteOpen()
  await answer(1, { success: true })
  expect(location.search).toBe('?selfie=selfie-1')
  await press('Undo (30 s)')
  await answer(2, { success: true, generation: selfies(1)[0] })
  await answer(3, page(selfies(3)))
  await settle()
  expect(location.search).toBe('?selfie=selfie-0')
  expect(screen.getByText('1 of 3')).toBeTruthy()
})

const boxes = () => screen.queryAllByRole<HTMLInputElement>('checkbox', { name: /^Selfie with/ })
const isOff = (name: string) => button(name)?.getAttribute('aria-disabled')

it('several are selected, of those that are made, and deleted together, with one undo for all', async () => {
  await show(<Gallery />)
  const [first, second, third] = selfies(3) as [GenerationItem, GenerationItem, GenerationItem]
  const running = { ...second, state: 'running' as const, imageUrl: null, thumbnailUrl: null }
  await answer(0, page([first, running, third]))
  expect(boxes()).toEqual([])
  await press('Select')
  expect(boxes()).toHaveLength(2)
  expect([isOff('Download'), isOff('Delete')]).toEqual(['true', 'true'])
  await press('Delete')
  expect(questions, 'nothing is selected').toHaveLength(1)
  fireEvent.click(boxes()[1]!)
  expect(screen.getByText('1 selected').getAttribute('role')).toBe('status')
  fireEvent.click(boxes()[1]!)
  expect(screen.getByText('0 selected')).toBeTruthy()
  await press('Select all')
  await settle()
  expect(boxes().map(({ checked }) => checked)).toEqual([true, true])
  await press('Delete')
  expect(boxes(), 'the choice is over').toEqual([])
  await answer(1, { success: true })
  await answer(2, { success: true })
  expect(questions.map(({ address }) => address).slice(1)).toEqual([
    '/api/generations/selfie-0',
    '/api/generations/selfie-2',
  ])
  expect(frames()).toHaveLength(1)
  expect(screen.getByText('2 pictures were deleted.')).toBeTruthy()
  await press('Undo (30 s)')
  expect(questions.at(-1)?.address).toBe('/api/generations/selfie-0/restore')
})

it('all that are selected are also those of pages that come later', async () => {
  await show(<Gallery />)
  await answer(0, page(selfies(2), { total: 3, nextCursor: 'behind' }))
  await press('Select')
  await press('Select all')
  await answer(1, page([{ ...testSelfie, generationId: 'oldest', thumbnailUrl: '/old.jpg' }]))
  await settle()
  expect(screen.getByText('3 selected')).toBeTruthy()
})

it('selecting all asks once for a later page that fails, and selects what is there', async () => {
  await show(<Gallery />)
  await answer(0, page(selfies(2), { total: 3, nextCursor: 'behind' }))
  await press('Select')
  await press('Select all')
  await fail(1)
  expect(screen.getByText('2 selected')).toBeTruthy()
  expect(questions).toHaveLength(2)
})

it('selected pictures are saved one after the other', async () => {
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download)
  })
  await show(<Gallery />)
  await answer(0, page(selfies(2)))
  await press('Select')
  await press('Select all')
  await settle()
  const asked: unknown[] = []
  vi.stubGlobal('fetch', async (address: unknown) => {
    asked.push(address)
    return new Response('picture')
  })
  await press('Download')
  await waitFor(() => expect(saved).toHaveLength(2))
  expect(asked).toEqual(selfies(2).map(({ downloadUrl }) => downloadUrl))
  expect(screen.getByText('2 selected')).toBeTruthy()
  vi.restoreAllMocks()
})

it('the undo counts down for the eye, and is announced once', async () => {
  await show(<Gallery />)
  await answer(0, page(selfies(2)))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  fireEvent.click(button('Select')!)
  fireEvent.click(boxes()[0]!)
  fireEvent.click(button('Delete')!)
  await answer(1, { success: true })
  const told = screen.getByText('The picture was deleted.')
  const undo = button('Undo (30 s)')
  expect(undo?.textContent).toBe('Undo (30 s)')
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  expect([undo?.textContent, button('Undo (30 s)')]).toEqual(['Undo (28 s)', undo])
  expect(told.contains(undo)).toBe(false)
  vi.useRealTimers()
})

it.each(['Escape', 'Cancel'])('%s ends the choice where it began', async (how) => {
  await show(<Gallery />)
  await answer(0, page(selfies(2)))
  await press('Select')
  fireEvent.click(boxes()[0]!)
  if (how === 'Cancel') await press('Cancel')
  else fireEvent.keyDown(boxes()[0]!, { key: 'Escape' })
  expect(boxes()).toEqual([])
  if (how === 'Escape') expect(document.activeElement).toBe(button('Select'))
  await press('Select')
  expect(screen.getByText('0 selected')).toBeTruthy()
})
