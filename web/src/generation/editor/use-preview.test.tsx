import type { Arrangement } from '@starside/contract/arrangement.ts'
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdQuestions, type HeldQuestion } from '../../api/testing/test-answers.ts'
import { testArrangement } from '../testing/test-arrangement.ts'
import { usePreview } from './use-preview.ts'

let questions: HeldQuestion[]
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  questions = holdQuestions()
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const earlier: Arrangement = { ...testArrangement, blur: 0.1 }
const later: Arrangement = { ...testArrangement, blur: 0.2 }
const size = { widthPx: 1, heightPx: 1 }
const box = { left: 0, top: 0, right: 1, bottom: 1 }
const head = { heads: [{ x: 0, y: 0, size: 1 }], box, uprightDegrees: 0, foot: null }
const person = { ...size, ...head, image: '' }
const answer = {
  ...size,
  success: true,
  expiresAt: '',
  image: 'picture',
  visibleBorder: 0,
  mended: null,
  background: '',
  markBox: null,
  people: null,
}

function open() {
  const initialProps = {
    arrangement: earlier,
    isMoving: false,
    size: 'small' as 'small' | 'large' | 'both',
  }
  return renderHook(({ arrangement, ...options }) => usePreview('one', arrangement, options), {
    initialProps,
  })
}
const pause = () => act(() => vi.advanceTimersByTimeAsync(1_000))

it('a slow picture of an earlier arrangement does not take the place of the newer one', async () => {
  const { result, rerender } = open()
  await pause()
  rerender({ arrangement: later, isMoving: false, size: 'small' })
  await pause()
  await questions[1]?.answer(answer)
  await questions[0]?.answer(answer)
  expect(result.current.preview?.arrangement).toBe(later)
  expect(result.current.isCurrent).toBe(true)
})

it('a late failure of an earlier arrangement is none of the newer one', async () => {
  const { result, rerender } = open()
  await pause()
  rerender({ arrangement: later, isMoving: false, size: 'small' })
  await questions[0]?.fail()
  await pause()
  expect(questions).toHaveLength(2)
  expect(result.current.failure).toBeNull()
})

it('a picture that failed is asked for again by a press, and not by itself', async () => {
  const { result } = open()
  await pause()
  await questions[0]?.fail()
  await pause()
  expect(questions).toHaveLength(1)
  expect(result.current.failure).not.toBeNull()
  act(() => result.current.tryAgain())
  await pause()
  await questions[1]?.answer(answer)
  expect(result.current).toMatchObject({ failure: null, isCurrent: true })
})

it('nothing is asked for while a person is moved', async () => {
  const { rerender } = open()
  rerender({ arrangement: later, isMoving: true, size: 'small' })
  await pause()
  expect(questions).toEqual([])
})

it.each<Partial<Arrangement>>([
  { look: 'muted' },
  { warmth: 0.4 },
  { brightness: 0.4 },
  { contrast: 0.4 },
  { scene: 'stage' },
  { subjects: earlier.subjects.with(1, { ...earlier.subjects[1]!, warmth: 0.4 }) },
  { subjects: earlier.subjects.with(0, { ...earlier.subjects[0]!, brightness: 0.4 }) },
])('asks for the people again when their light has changed by %j', async (change) => {
  const { rerender } = open()
  await pause()
  await questions[0]?.answer({ ...answer, people: [person, person] })
  rerender({ arrangement: { ...earlier, ...change }, isMoving: false, size: 'small' })
  await pause()
  expect(questions[1]?.body).toMatchObject({ withPeople: true })
})

it('asks for the people once, and again when their light has changed', async () => {
  const { result, rerender } = open()
  await pause()
  await questions[0]?.answer({ ...answer, people: [person, person] })
  rerender({ arrangement: later, isMoving: false, size: 'small' })
  await pause()
  await questions[1]?.answer(answer)
  expect(result.current.preview?.people, 'they stay').toHaveLength(2)
  rerender({ arrangement: { ...later, look: 'muted' }, isMoving: false, size: 'small' })
  await pause()
  const asked = questions.map(({ body }) => (body as { withPeople: boolean }).withPeople)
  expect(asked).toEqual([true, false, true])
})

it('asks for a larger picture when it is looked at enlarged, and keeps it', async () => {
  const { result, rerender } = open()
  await pause()
  await questions[0]?.answer(answer)
  rerender({ arrangement: earlier, isMoving: false, size: 'large' })
  expect(result.current.isCurrent, 'what is shown can be saved').toBe(true)
  await pause()
  await questions[1]?.answer(answer)
  rerender({ arrangement: earlier, isMoving: false, size: 'small' })
  await pause()
  expect(questions.map(({ body }) => (body as { isLarge: boolean }).isLarge)).toEqual([false, true])
})

it('a sharp picture follows the small one once somebody rests, and is missed by nobody where it fails', async () => {
  const { result, rerender } = open()
  rerender({ arrangement: earlier, isMoving: false, size: 'both' })
  const sizes = () => questions.map(({ body }) => (body as { isLarge: boolean }).isLarge)
  await pause()
  await questions[0]?.answer(answer)
  await act(() => vi.advanceTimersByTimeAsync(400))
  expect(sizes()).toEqual([false])
  await pause()
  expect(sizes()).toEqual([false, true])
  await questions[1]?.fail()
  await pause()
  expect(result.current).toMatchObject({ failure: null, isCurrent: true })
  expect(sizes()).toHaveLength(2)
})

it('of changes that follow one another within the pause the last one alone is asked for', async () => {
  const { rerender } = open()
  rerender({ arrangement: later, isMoving: false, size: 'small' })
  await pause()
  const asked = questions.map(({ body }) => (body as { arrangement: Arrangement }).arrangement)
  expect(asked).toEqual([later])
})
