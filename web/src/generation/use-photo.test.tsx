import type { InspectAnswer } from '@starside/contract/generation.ts'
import { act, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fitnessOf } from './photo-fitness.ts'
import { scalePhoto, type ScaledPhoto } from './scale-photo.ts'
import type { WorkerQuestion } from './scale-photo-worker.ts'
import { usePhoto } from './use-photo.ts'

const face = { x: 0.3, y: 0.2, width: 0.2, height: 0.3, refusals: [] }
const verdictOn = (faces: InspectAnswer['faces']): InspectAnswer => ({
  success: true,
  usable: true,
  faces,
  refusals: [],
  hints: [],
  widthPx: 900,
  heightPx: 1200,
})

/** The check's questions so far, each to be answered by hand, late or never. */
let questions: { answer: (verdict: InspectAnswer) => void; fail: () => void; signal: AbortSignal }[]

beforeEach(() => {
  questions = []
  vi.stubGlobal('fetch', (_address: string, { signal }: { signal: AbortSignal }) => {
    // A network that ignores aborts: what was aborted is answered all the same.
    return new Promise<Response>((resolve, reject) => {
      questions.push({
        answer: (verdict) => resolve(Response.json(verdict)),
        fail: () => reject(new TypeError('Failed to fetch')),
        signal,
      })
    })
  })
})
afterEach(() => vi.unstubAllGlobals())

const question = (index: number) => {
  const asked = questions[index]
  if (!asked) throw new Error(`The check was not asked ${index + 1} times`)
  return asked
}

async function chooseTwo() {
  const { result } = renderHook(() => usePhoto())
  // happy-dom decodes no pictures: the files go up as they are, as unreadable ones do.
  act(() => void result.current.choose(new File(['GIF89a'], 'old.jpg')))
  await waitFor(() => expect(questions).toHaveLength(1))
  act(() => void result.current.choose(new File(['GIF89a'], 'new.jpg')))
  await waitFor(() => expect(questions).toHaveLength(2))
  expect(question(0).signal.aborted).toBe(true)
  return result
}
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 0)))

it('keeps a verdict on an earlier photo away from the one that is shown', async () => {
  const photo = await chooseTwo()
  question(0).answer(
    verdictOn([
      { ...face, isMain: false },
      { ...face, x: 0.6, isMain: true },
    ]),
  )
  await settle()
  expect(photo.current.photo).toMatchObject({
    prepared: { file: { name: 'new.jpg' } },
    check: { state: 'checking' },
    faceIndex: null,
  })
  question(1).answer(verdictOn([{ ...face, isMain: true }]))
  await waitFor(() => expect(photo.current.photo?.check?.state).toBe('answered'))
  expect(photo.current.photo?.prepared?.file.name).toBe('new.jpg')
})

it('keeps a late verdict away from the newer one, and a late failure too', async () => {
  const photo = await chooseTwo()
  question(1).answer(verdictOn([{ ...face, isMain: true }]))
  await waitFor(() => expect(photo.current.photo?.check?.state).toBe('answered'))
  const shown = photo.current.photo
  question(0).fail()
  await settle()
  expect(photo.current.photo).toBe(shown)
})

it('shows nothing again once the photo was taken away', async () => {
  const photo = await chooseTwo()
  act(() => photo.current.clear())
  question(1).answer(verdictOn([{ ...face, isMain: true }]))
  await settle()
  expect(photo.current.photo).toBeNull()
})

/** The worker's program, on the test's own thread; what it has read may come late. */
const stubWorker = (answer: (asked: WorkerQuestion) => Promise<ScaledPhoto | null>) =>
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      postMessage = async (asked: WorkerQuestion) =>
        this.dispatchEvent(new MessageEvent('message', { data: await answer(asked) }))
      terminate = () => undefined
    },
  )

it('keeps a photo that is ready late from the place of the one chosen after it', async () => {
  const reads: PromiseWithResolvers<null>[] = []
  stubWorker(() => {
    reads.push(Promise.withResolvers())
    return reads.at(-1)!.promise
  })
  const { result } = renderHook(() => usePhoto())
  act(() => void result.current.choose(new File(['GIF89a'], 'old.jpg')))
  act(() => void result.current.choose(new File(['GIF89a'], 'new.jpg')))
  await act(async () => reads[1]?.resolve(null))
  await waitFor(() => expect(questions).toHaveLength(1))
  await act(async () => reads[0]?.resolve(null))
  await settle()
  expect(questions, 'and nothing is asked about it').toHaveLength(1)
  expect(result.current.photo?.prepared?.file.name).toBe('new.jpg')
})

it.each([
  ['face_too_small refuses', { refusals: ['face_too_small'] }, 4000, ['2048 px', '3000 px']],
  ['small_face hints at', { hints: ['small_face'] }, 4000, ['2048 px', '3000 px']],
  ['has pixels enough', {}, 4000, ['2048 px']],
  ['is small in a photo that went up whole', { hints: ['small_face'] }, 2000, ['2000 px']],
])('sends a photo once, and larger once more, whose face %s', async (_so, found, side, sent) => {
  stubWorker((asked) => scalePhoto(...asked))
  vi.stubGlobal('createImageBitmap', async () => ({ width: side, height: 9, close: () => {} }))
  class Canvas {
    width: number
    constructor(width: number) {
      this.width = width
    }
    getContext = () => ({ fillRect: () => undefined, drawImage: () => undefined })
    convertToBlob = async () => new Blob([`${this.width} px`], { type: 'image/jpeg' })
  }
  vi.stubGlobal('OffscreenCanvas', Canvas)
  const uploads: string[] = []
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: FormData }) => {
    uploads.push(await (body.get('photo') as File).text())
    return Response.json(verdictOn([{ ...face, isMain: true, ...found }]))
  })
  const { result } = renderHook(() => usePhoto())
  await act(() => result.current.choose(new File(['GIF89a'], 'of.me.png')))
  expect(result.current.photo?.prepared?.file.name, 'what it has become').toBe('of.me.jpg')
  expect(uploads).toEqual(sent)
  expect(await result.current.photo?.prepared?.file.text()).toBe(sent.at(-1))
})

it.each(['These are words, not a picture.', '%PDF-1.7'])(
  'a file that begins %j is refused without being sent',
  async (text) => {
    const { result } = renderHook(() => usePhoto())
    await act(() => result.current.choose(new File([text], 'me.jpg', { type: 'image/jpeg' })))
    expect(questions).toEqual([])
    const { photo } = result.current
    expect(photo && fitnessOf(photo)).toBe('unfit')
    expect(photo?.check).toMatchObject({ state: 'failed', error: { code: 'photo_format' } })
  },
)

it.each([
  ['JPEG', [0xff, 0xd8, 0xff, 0xe0]],
  ['PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['WebP', [0x52, 0x49, 0x46, 0x46, 0xf0, 0x9f, 0, 0, 0x57, 0x45, 0x42, 0x50]],
  ['AVIF', [0, 0, 0, 0xa0, 0x66, 0x74, 0x79, 0x70, 0x61, 0x76, 0x69, 0x66]],
])('a %s that the browser cannot read is left to the server', async (_format, bytes) => {
  const { result } = renderHook(() => usePhoto())
  act(() => void result.current.choose(new File([new Uint8Array(bytes)], 'me')))
  await waitFor(() => expect(questions).toHaveLength(1))
})

it('of an empty file the server has its own sentence', async () => {
  const { result } = renderHook(() => usePhoto())
  act(() => void result.current.choose(new File([], 'empty.jpg')))
  await waitFor(() => expect(questions).toHaveLength(1))
})
