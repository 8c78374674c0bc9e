import { storageKeys } from '@starside/contract/api.ts'
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import { storeOpenHold } from '../credits/open-hold.ts'
import type { GenerationRequest } from './start-generation.ts'
import { storeGeneratedImage } from './image-cache.ts'
import { testSelfie } from './testing/test-selfie.ts'
import { useGenerator } from './use-generator.ts'

let questions: HeldQuestion[]
beforeEach(() => {
  questions = holdQuestions()
})
afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
  localStorage.clear()
})

const open = () =>
  renderHook(() => useGenerator({ verifyCredits: async () => true, onComplete: () => {} })).result
/** The page is shown; `persisted` where the browser had kept it as it was left. */
const comeBack = (persisted: boolean) =>
  act(async () => void dispatchEvent(Object.assign(new Event('pageshow'), { persisted })))

it('a page that the browser kept tells of an upload that leaving it broke off, once', async () => {
  const generator = open()
  await comeBack(true)
  expect(generator.current.problem).toBeNull()
  sessionStorage.setItem(storageKeys.interruptedUpload, String(Date.now()))
  await comeBack(false)
  expect(generator.current.problem).toBeNull()
  await comeBack(true)
  expect(generator.current.problem).toEqual({ kind: 'interruption' })
  act(() => generator.current.dismissProblem())
  await comeBack(true)
  expect(generator.current.problem).toBeNull()
})

const photo = new File(['x'], 'me.jpg')
const request: GenerationRequest = {
  userPhoto: photo,
  userFaces: [],
  stars: [{ presetId: 'ada', photo: null, faceIndex: null }],
  scene: 'own',
  background: null,
  aspect: '4:5',
  look: 'automatic',
  prompt: '',
  consent: false,
  photoDigests: new Map(),
}

it('an upload that leaving the page broke off is told of once, also when the page is left again', async () => {
  const { result, unmount } = renderHook(() =>
    useGenerator({ verifyCredits: async () => true, onComplete: () => {} }),
  )
  await act(async () => void result.current.generate('Ada', async () => request))
  // A page that is killed says nothing of its end.
  expect(sessionStorage.getItem(storageKeys.interruptedUpload)).not.toBeNull()
  act(() => void dispatchEvent(new Event('pagehide')))
  expect(sessionStorage.getItem(storageKeys.interruptedUpload)).not.toBeNull()
  await comeBack(true)
  expect(result.current.problem).toEqual({ kind: 'interruption' })
  unmount()
  expect(sessionStorage.getItem(storageKeys.interruptedUpload)).toBeNull()
})

it('an upload that the browser breaks off before it leaves the page is told of by the next page', async () => {
  const generator = open()
  await act(async () => void generator.current.generate('Ada', async () => request))
  act(() => void dispatchEvent(new Event('beforeunload')))
  const upload = questions.find(({ address }) => address.includes('action=generate'))
  await act(async () => upload?.fail())
  expect(sessionStorage.getItem(storageKeys.interruptedUpload)).not.toBeNull()
})

it('a departure that led nowhere leaves no note of the next upload', async () => {
  const generator = open()
  act(() => void dispatchEvent(new Event('beforeunload')))
  await act(async () => void generator.current.generate('Ada', async () => request))
  const upload = questions.find(({ address }) => address.includes('action=generate'))
  await upload?.answer({ success: true, imageUrl: '/one.jpg' })
  expect(sessionStorage.getItem(storageKeys.interruptedUpload)).toBeNull()
})

it('a page that the browser kept while its selfie was made is loaded anew', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined)
  localStorage.setItem(storageKeys.runningGeneration, testSelfie.generationId)
  const generator = open()
  const running = { ...testSelfie, state: 'running', stage: 'matting', imageUrl: null }
  await act(async () => {})
  await questions[0]?.answer({ success: true, generation: running })
  expect(generator.current.running?.stage).toBe('matting')
  await comeBack(false)
  expect(reload).not.toHaveBeenCalled()
  await comeBack(true)
  expect(reload).toHaveBeenCalledOnce()
  reload.mockRestore()
})

it('who leaves the page once the photos have arrived is told of no broken upload', async () => {
  const generator = open()
  await act(async () => void generator.current.generate('Ada', async () => request))
  const upload = questions.find(({ address }) => address.includes('action=generate'))
  await upload?.answer({ success: true, imageUrl: '/one.jpg' })
  expect(generator.current.picture?.imageUrl).toBe('/one.jpg')
  act(() => void dispatchEvent(new Event('pagehide')))
  expect(sessionStorage.getItem(storageKeys.interruptedUpload)).toBeNull()
})

it('a picture whose address no longer works is not restored by the next visit either', async () => {
  storeGeneratedImage({ imageUrl: '/gone.jpg' }, Date.now())
  const generator = open()
  await act(async () => {})
  expect(generator.current.picture?.imageUrl).toBe('/gone.jpg')
  act(() => generator.current.removePicture())
  expect(generator.current.picture).toBeNull()
  expect(localStorage.getItem(storageKeys.generatedImage)).toBeNull()
})

it('what an earlier visit left is followed no more once the page is left', async () => {
  sessionStorage.setItem(storageKeys.interruptedUpload, String(Date.now()))
  const { unmount } = renderHook(() =>
    useGenerator({ verifyCredits: async () => true, onComplete: () => {} }),
  )
  await act(async () => {})
  unmount()
  const running = { ...testSelfie, state: 'running', imageUrl: null }
  const list = { success: true, items: [running], nextCursor: null, total: 1, stars: [] }
  await questions[0]?.answer(list)
  expect(questions).toHaveLength(1)
  expect(localStorage.getItem(storageKeys.runningGeneration)).toBeNull()
})

it('tells whoever started it how it ended', async () => {
  const onComplete = vi.fn()
  const { result } = renderHook(() => useGenerator({ verifyCredits: async () => true, onComplete }))
  await act(async () => void result.current.generate('Ada', async () => request))
  expect(onComplete).not.toHaveBeenCalled()
  const refused = { success: false, error: { code: 'face_missing', message: 'No face.' } }
  await questions.at(-1)?.answer(refused, 422)
  expect(onComplete.mock.calls).toEqual([[false, null]])
})

it('a held credit is given back when the page is left', async () => {
  open()
  await act(async () => {})
  storeOpenHold({ holdId: 'h1', key: 'k1', userId: 'u1', description: '', placedAtMs: Date.now() })
  act(() => void dispatchEvent(new Event('pagehide')))
  expect(questions.at(-1)).toMatchObject({
    address: '/api/user?action=release-hold',
    body: { holdId: 'h1' },
  })
})

it('a try whose line broke goes on under its key and its credit; anything else is a try of its own', async () => {
  const verifyCredits = vi.fn(async () => true)
  const { result } = renderHook(() => useGenerator({ verifyCredits, onComplete: () => {} }))
  const generate = async (asked: GenerationRequest) => {
    await act(async () => void result.current.generate('Ada', async () => asked))
    return questions.findLast(({ address }) => address.includes('action=generate'))!
  }
  const first = await generate(request)
  await first.fail()
  expect(result.current).toMatchObject({ busy: false, problem: { kind: 'failure' } })
  const again = await generate({ ...request, stars: [...request.stars] })
  expect(again).not.toBe(first)
  expect(again.idempotencyKey).toBe(first.idempotencyKey)
  expect(verifyCredits).toHaveBeenCalledTimes(1)
  await again.fail()
  const other = await generate({ ...request, prompt: 'warm light' })
  expect(other.idempotencyKey).not.toBe(first.idempotencyKey)
  await other.answer({ success: true, imageUrl: '/one.jpg' })
  const another = await generate({ ...request, prompt: 'warm light' })
  expect(another.idempotencyKey).not.toBe(other.idempotencyKey)
  expect(verifyCredits).toHaveBeenCalledTimes(3)
})

it('while its credit is asked for a try is busy, and says when that could not be checked', async () => {
  const credits = Promise.withResolvers<boolean>()
  const { result } = renderHook(() =>
    useGenerator({ verifyCredits: () => credits.promise, onComplete: () => {} }),
  )
  await act(async () => void result.current.generate('Ada', async () => request))
  expect(result.current).toMatchObject({ busy: true, running: null })
  await act(async () => credits.reject(new Error('No line')))
  expect(result.current).toMatchObject({ busy: false, problem: { kind: 'verification' } })
  expect(sessionStorage.getItem(storageKeys.interruptedUpload), 'nothing was sent').toBeNull()
  const cannot = async () => await Promise.reject(new Error('Choose a star.'))
  await act(async () => void result.current.generate('Ada', cannot))
  expect(result.current.problem).toEqual({ kind: 'choice', sentence: 'Choose a star.' })
  expect(sessionStorage.getItem(storageKeys.interruptedUpload)).toBeNull()
})
