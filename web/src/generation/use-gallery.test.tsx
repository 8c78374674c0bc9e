import type { GenerationItem } from '@starside/contract/generation.ts'
import { deletionUndoMs } from '@starside/contract/limits.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AuthContext } from '../auth/auth-context.ts'
import { testAuth } from '../auth/testing/test-auth.ts'
import { LanguageProvider } from '../ui/language.tsx'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import { restoreGeneratedImage, storeGeneratedImage } from './image-cache.ts'
import { testSelfie } from './testing/test-selfie.ts'
import { useGallery, type GalleryQuery } from './use-gallery.ts'

const [first, second]: GenerationItem[] = ['one', 'two'].map((generationId) => ({
  ...testSelfie,
  generationId,
})) as [GenerationItem, GenerationItem]
const done = { success: true }
let questions: HeldQuestion[]
let counts: unknown[]
const refreshUser = vi.fn(async () => undefined)

beforeEach(async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  })
  questions = holdQuestions()
  counts = []
  refreshUser.mockClear()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A gallery of two selfies. */
async function renderGallery(items = [first, second]) {
  const user = { userId: 'u1', email: '', username: '', selfiesCreated: 2 }
  const updateUser = (changes: unknown) => counts.push(changes)
  const auth = { ...testAuth, user, updateUser, refreshUser }
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <LanguageProvider initial="en">
      <QueryClientProvider client={client}>
        <AuthContext value={auth}>{children}</AuthContext>
      </QueryClientProvider>
    </LanguageProvider>
  )
  const initialProps: GalleryQuery = {}
  const hook = renderHook((asked) => useGallery(asked), { wrapper, initialProps })
  await questions[0]?.answer({
    ...done,
    items,
    total: 2,
    stars: [],
    nextCursor: null,
  })
  await passMs(0)
  return hook
}
const openGallery = async (items?: GenerationItem[]) => (await renderGallery(items)).result
const passMs = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const last = () => questions.at(-1)

async function remove(gallery: Awaited<ReturnType<typeof openGallery>>, item: GenerationItem) {
  act(() => void gallery.current.remove([item.generationId]))
  await last()?.answer(done)
  await passMs(0)
}

it('a selfie in progress becomes a picture by itself, and is asked for no longer', async () => {
  const running: GenerationItem = { ...first, state: 'running', imageUrl: null }
  const page = { ...done, total: 1, stars: [], nextCursor: null }
  const gallery = await openGallery([running])
  await passMs(5_000)
  await last()?.answer({ ...page, items: [first] })
  await passMs(60_000)
  expect(gallery.current.items).toEqual([first])
  expect(questions).toHaveLength(2)
})

it('a deletion can be undone for as long as the server keeps the selfie, and not longer', async () => {
  const gallery = await openGallery()
  await remove(gallery, first)
  expect(gallery.current.items).toEqual([second])
  expect(gallery.current.undoSeconds).toBe(30)
  await passMs(1_000)
  expect(gallery.current.undoSeconds).toBe(29)
  await passMs(deletionUndoMs - 1_001)
  expect(gallery.current).toMatchObject({ deletedIds: ['one'], undoSeconds: 1 })
  await passMs(1)
  expect(gallery.current.deletedIds).toBeNull()
})

it('what was deleted long after the page was opened has as long', async () => {
  const gallery = await openGallery()
  await passMs(10 * deletionUndoMs)
  await remove(gallery, first)
  expect(gallery.current).toMatchObject({ deletedIds: ['one'], undoSeconds: 30 })
})

it.each([
  ['that the studio would show at its next visit', 'one', null],
  ['leaves another one there', 'two', 'two'],
])('deleting the selfie %s', async (_what, shownId, keptId) => {
  storeGeneratedImage({ imageUrl: '/kept.jpg', generationId: shownId }, Date.now())
  const gallery = await openGallery()
  await remove(gallery, first)
  expect(restoreGeneratedImage(Date.now())?.generationId ?? null).toBe(keptId)
  localStorage.clear()
})

it('a second deletion leaves the first in the undo, and gives both the whole time anew', async () => {
  const gallery = await openGallery()
  await remove(gallery, first)
  await passMs(deletionUndoMs - 1_000)
  await remove(gallery, second)
  expect(gallery.current).toMatchObject({ deletedIds: ['two', 'one'], undoSeconds: 30 })
  await passMs(deletionUndoMs - 1_000)
  act(() => void gallery.current.restore())
  expect(last()?.address).toBe('/api/generations/two/restore')
  await last()?.answer({ ...done, generation: second })
  expect(last()?.address).toBe('/api/generations/one/restore')
})

it('a deletion after the time of another is undone by itself', async () => {
  const gallery = await openGallery()
  await remove(gallery, first)
  await passMs(deletionUndoMs)
  await remove(gallery, second)
  expect(gallery.current.deletedIds).toEqual(['two'])
})

it('a selfie that is deleted is no longer counted', async () => {
  const gallery = await openGallery()
  await remove(gallery, second)
  expect(counts).toEqual([{ selfiesCreated: 1 }])
  expect(gallery.current.total).toBe(1)
})

it('a selfie whose deletion fails stays, and is not offered to be brought back', async () => {
  const gallery = await openGallery()
  act(() => void gallery.current.remove(['one']))
  await last()?.fail()
  expect(gallery.current).toMatchObject({ items: [first, second], deletedIds: null })
  expect(gallery.current.error).not.toBeNull()
  expect(counts).toEqual([])
})

it('an undo that nothing answered can be pressed again', async () => {
  const gallery = await openGallery()
  await remove(gallery, first)
  act(() => void gallery.current.restore())
  expect(gallery.current.deletedIds).toBeNull()
  await last()?.fail()
  expect(gallery.current.deletedIds).toEqual(['one'])
  expect(gallery.current.error).not.toBeNull()
  act(() => void gallery.current.restore())
  await last()?.answer({ ...done, generation: first })
  expect(gallery.current).toMatchObject({ deletedIds: null, error: null })
  expect(counts).toEqual([{ selfiesCreated: 1 }])
  expect(refreshUser, 'how many there are says the server').toHaveBeenCalledOnce()
})

it('how many selfies there are is never less than none, and what was brought back is asked for', async () => {
  const gallery = await openGallery()
  expect(gallery.current.total).toBe(2)
  act(() => void gallery.current.remove(['one']))
  await last()?.answer(done)
  act(() => void gallery.current.restore())
  await last()?.fail()
  expect(gallery.current.error).toBe('No connection: the picture could not be restored.')
  act(() => void gallery.current.restore())
  await last()?.answer({ ...done, generation: first })
  await passMs(0)
  expect(last()).toMatchObject({ method: 'GET', address: '/api/generations' })
})

it('those with one star are a list of their own; until it comes the one before stays', async () => {
  const { result, rerender } = await renderGallery()
  expect(result.current.items).toHaveLength(2)
  rerender({ star: 'Elena' })
  await passMs(0)
  expect(result.current.items).toHaveLength(2)
  expect(last()?.address).toContain('star=Elena')
  await last()?.answer({ ...done, items: [second], total: 1, stars: [], nextCursor: null })
  await passMs(0)
  expect(result.current).toMatchObject({ items: [second], total: 1 })
})

it('the oldest first are a list of their own', async () => {
  const { rerender } = await renderGallery()
  rerender({ order: 'oldest' })
  await passMs(0)
  expect(last()?.address).toBe('/api/generations?order=oldest')
})

it('of several that are deleted all are brought back; what has failed stays, and is told of', async () => {
  const gallery = await openGallery()
  act(() => void gallery.current.remove(['one', 'two']))
  await last()?.answer(done)
  expect(last()).toMatchObject({ method: 'DELETE', address: '/api/generations/two' })
  await last()?.fail()
  expect(gallery.current).toMatchObject({ items: [second], deletedIds: ['one'] })
  expect(gallery.current.error).toBe('No connection: the picture could not be deleted.')
  expect(counts).toEqual([{ selfiesCreated: 1 }])
})

it('of several that are brought back those that failed can be brought back again', async () => {
  const gallery = await openGallery()
  act(() => void gallery.current.remove(['one', 'two']))
  await last()?.answer(done)
  await last()?.answer(done)
  expect(gallery.current).toMatchObject({ items: [], deletedIds: ['one', 'two'] })
  expect(counts).toEqual([{ selfiesCreated: 0 }])
  let back: readonly string[] = []
  act(() => void gallery.current.restore().then((ids) => (back = ids)))
  await last()?.answer({ ...done, generation: first })
  expect(last()?.address).toBe('/api/generations/two/restore')
  await last()?.fail()
  expect(gallery.current.deletedIds, 'what is still to be brought back').toEqual(['two'])
  expect(refreshUser).toHaveBeenCalledOnce()
  await last()?.answer({ ...done, items: [first], total: 1, stars: [], nextCursor: null })
  await passMs(0)
  expect(back, 'once the list has it').toEqual(['one'])
})
