import { act, renderHook, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { show } from '../auth/testing/show.tsx'
import { testProfile } from '../auth/testing/test-auth.ts'
import { keepSharedPhoto } from '../install/photo-store.ts'
import { stubDatabases } from '../install/testing/test-database.ts'
import { answerRequests, happened, settle, stopTime } from '../ui/testing/press-each.ts'
import { Studio } from './studio.tsx'
import { testStar } from './testing/test-star.ts'
import type { ChosenPhoto } from './use-photo.ts'
import { useStarChoice } from './use-studio-choices.ts'

const nowMs = Date.parse('2026-11-22T12:00:00Z')

beforeEach(() => {
  stopTime(nowMs)
  happened.length = 0
  answerRequests()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('a photo that was shared waits until it is known what an earlier visit left', async () => {
  const databases = stubDatabases()
  await keepSharedPhoto(new File(['GIF89a'], 'shared.gif', { type: 'image/gif' }), nowMs)
  const draft = Object.assign(new EventTarget(), { error: new DOMException('', 'AbortError') })
  const { open, deleteDatabase } = indexedDB as unknown as Record<string, (name: string) => unknown>
  vi.stubGlobal('indexedDB', {
    open: (name: string) => (name === 'selfie_draft' ? draft : open?.(name)),
    deleteDatabase,
  })
  const user = { ...testProfile, userId: crypto.randomUUID() }
  const studio = (
    <Studio
      creditProblem={null}
      onDismissCreditProblem={() => undefined}
      verifyCredits={async () => true}
      onComplete={() => undefined}
    />
  )
  await show(studio, { auth: { user } })
  await settle()
  const isChecked = () => happened.some((line) => line.startsWith('POST /api/ai?action=inspect'))
  expect([databases.has('shared_photo'), isChecked()]).toEqual([true, false])
  await act(async () => void draft.dispatchEvent(new Event('error')))
  await settle()
  expect([databases.has('shared_photo'), isChecked()]).toEqual([false, true])
  expect(screen.getByText('Checking the photo...')).toBeDefined()
})

it.each([
  ['that was chosen meanwhile goes before', 'bo-reed', 'bo-reed'],
  ['is there again where none was chosen', null, 'ada-vale'],
])('the star of an earlier visit, one %s', (_which, meanwhile, expected) => {
  const stars = [testStar(), testStar({ id: 'bo-reed', name: 'Bo Reed' })]
  const { result } = renderHook(() => useStarChoice(null, stars))
  act(() => result.current.choosePreset(meanwhile))
  act(() => result.current.restore({ custom: null, presetId: 'ada-vale' }))
  expect(result.current.chosen.preset?.id).toBe(expected)
})

it('a star’s photo of an earlier visit stays away from a preset that was chosen meanwhile', () => {
  const { result } = renderHook(() => useStarChoice(null, [testStar()]))
  act(() => result.current.choosePreset('ada-vale'))
  const earlier = { check: { state: 'answered' } } as ChosenPhoto
  act(() => result.current.restore({ custom: earlier, presetId: null }))
  expect(result.current.chosen).toMatchObject({ custom: null, presetId: 'ada-vale' })
})
