import { expect, it, vi } from 'vitest'
import { ApiError } from '../api/call.ts'
import { holdQuestions } from '../api/testing/test-answers.ts'
import {
  generationForm,
  readStarted,
  sameRequest,
  startGeneration,
  type GenerationRequest,
} from './start-generation.ts'

const photo = (name: string) => new File(['x'], name, { type: 'image/jpeg' })
const star = { presetId: 'elena-vassandri', photo: photo('star.jpg'), faceIndex: 2 }
const second = { presetId: null, photo: photo('second.jpg'), faceIndex: 1 }
const request: GenerationRequest = {
  userPhoto: photo('me.jpg'),
  stars: [star],
  prompt: '  warm light ',
  scene: 'own',
  background: null,
  aspect: '4:5',
  look: 'automatic',
  userFaces: [0, 2],
  consent: false,
  photoDigests: new Map(),
}

it('sends both photos and what was chosen, and nothing that was not', () => {
  const form = generationForm(request)
  expect((form.get('userPhoto') as File).name).toBe('me.jpg')
  expect((form.get('celebrityPhoto') as File).name).toBe('star.jpg')
  expect(form.get('presetId')).toBe('elena-vassandri')
  expect(form.get('prompt')).toBe('warm light')
  expect(form.get('starFaceIndex')).toBe('2')
  expect(form.get('userFaces')).toBe('0,2')
  expect(form.has('userFaceIndex')).toBe(false)
  expect(form.has('consent')).toBe(false)
})

it('names a photo that the server has checked instead of sending it once more', () => {
  const digests = new Map([
    [request.userPhoto, 'me'],
    [star.photo, 'star'],
  ])
  const own = {
    ...request,
    stars: [{ ...star, presetId: null }, second],
    photoDigests: digests,
  }
  const form = generationForm(own)
  expect(form.get('userPhoto')).toBe('me')
  expect(
    form.getAll('celebrityPhoto').map((one) => (one instanceof File ? one.name : one)),
  ).toEqual(['star', 'second.jpg'])
  expect((generationForm(request).get('celebrityPhoto') as File).size, 'of a preset').toBe(0)
})

it('sends the photos where the server no longer has them, and asks it for another credit', async () => {
  const questions = holdQuestions()
  const keyed = { idempotencyKey: 'key', holdId: 'hold' }
  const digests = new Map([[request.userPhoto, 'me']])
  const asked = { ...request, photoDigests: digests }
  const started = startGeneration(asked, keyed, new AbortController().signal)
  const refusal = { success: false, error: 'Send it again.', code: 'upload_expired' }
  await questions[0]?.answer(refusal, 409)
  expect(questions.map(({ address }) => address.includes('holdId'))).toEqual([true, false])
  const again = questions[1]?.body
  expect(again instanceof FormData && again.get('userPhoto')).toBe(request.userPhoto)
  await questions[1]?.answer({ success: true, imageUrl: '/a.jpg' })
  expect(await started).toEqual({ item: null, imageUrl: '/a.jpg' })
  vi.unstubAllGlobals()
})

it('names a single face in the field of single faces', () => {
  const form = generationForm({ ...request, userFaces: [1] })
  expect(form.get('userFaceIndex')).toBe('1')
  expect(form.has('userFaces')).toBe(false)
})

it('sends what is of a second star second', () => {
  const henrik = { presetId: 'henrik-solmark', photo: null, faceIndex: null }
  const preset = generationForm({ ...request, stars: [star, henrik] })
  expect(preset.getAll('presetId')).toEqual(['elena-vassandri', 'henrik-solmark'])
  expect(preset.getAll('celebrityPhoto')).toHaveLength(1)
  const first = { ...star, presetId: null, faceIndex: null }
  const photos = generationForm({ ...request, stars: [first, second] })
  expect(photos.getAll('presetId')).toEqual(['', ''])
  expect(photos.getAll('starFaceIndex')).toEqual(['', '1'])
  expect(photos.getAll('celebrityPhoto').map((file) => (file as File).name)).toEqual([
    'star.jpg',
    'second.jpg',
  ])
})

it('sends a look that was wished for', () => {
  expect(generationForm(request).has('look')).toBe(false)
  expect(generationForm({ ...request, look: 'warm' }).get('look')).toBe('warm')
})

it('sends a background photo instead of a scene', () => {
  const form = generationForm({ ...request, scene: null, background: photo('place.jpg') })
  expect(form.has('scene')).toBe(false)
  expect((form.get('background') as File).name).toBe('place.jpg')
})

it('confirms the consent for a custom photo', () => {
  const stars = [{ ...star, presetId: null }]
  const form = generationForm({ ...request, stars, consent: true, prompt: ' ' })
  expect(form.get('consent')).toBe('true')
  expect(form.has('presetId')).toBe(false)
  expect(form.has('prompt')).toBe(false)
})

it('asks before it makes the same once more, unless the person wants that', () => {
  expect(generationForm(request).get('askBeforeRepeat')).toBe('true')
  expect(generationForm({ ...request, isRepeat: true }).has('askBeforeRepeat')).toBe(false)
})

it('takes an answer that holds only what the specification names', () => {
  const item = { generationId: 'g1' }
  expect(readStarted({ success: true, imageUrl: '/a.jpg' }, 200)).toEqual({
    item: null,
    imageUrl: '/a.jpg',
  })
  expect(readStarted({ success: true, imageUrl: '/a.jpg', generation: item }, 200)).toEqual({
    item,
  })
})

it.each([
  [{ success: false, error: 'Too dark.', code: 'dark' }, 'Too dark.', 'dark'],
  [{ success: false, error: 'Too dark.' }, 'Too dark.', 'NO_REASON'],
  [{ success: false }, '', 'NO_REASON'],
  [{ error: 'Too dark.' }, 'Too dark.', 'NO_REASON'],
  [{ success: true }, '', 'NO_PICTURE'],
  [{ success: true, imageUrl: '' }, '', 'NO_PICTURE'],
  [null, '', 'BAD_ANSWER'],
  ['no', '', 'BAD_ANSWER'],
])('reads %j as a failure', (answer, message, code) => {
  const read = () => readStarted(answer, 200)
  expect(read).toThrow(ApiError)
  try {
    read()
  } catch (error) {
    expect(error).toMatchObject({ message, code, fromServer: message !== '' })
  }
})

it('asks for an answer before the picture is there, by a question that can be given up', async () => {
  const asked: RequestInit[] = []
  vi.stubGlobal('fetch', async (_address: string, init: RequestInit) => {
    asked.push(init)
    return Response.json({ success: true, imageUrl: '/a.jpg' })
  })
  const controller = new AbortController()
  await startGeneration(request, { idempotencyKey: 'key', holdId: null }, controller.signal)
  const headers = new Headers(asked[0]?.headers)
  expect(headers.get('prefer')).toBe('respond-async')
  expect(headers.get('idempotency-key')).toBe('key')
  controller.abort()
  expect(asked[0]?.signal?.aborted).toBe(true)
  vi.unstubAllGlobals()
})

it('sends the first face of a photo by its number too', () => {
  const form = generationForm({
    ...request,
    userFaces: [0],
    stars: [{ presetId: null, photo: photo('star.jpg'), faceIndex: 0 }],
  })
  expect([form.get('userFaceIndex'), form.get('starFaceIndex'), form.has('presetId')]).toEqual([
    '0',
    '0',
    false,
  ])
  const none = generationForm({ ...request, userFaces: [], stars: [{ ...star, faceIndex: null }] })
  expect([none.has('userFaceIndex'), none.has('starFaceIndex')]).toEqual([false, false])
})

it('a request is the same one with a preset’s picture fetched anew, and another one with anything else', () => {
  const anew = { ...request, stars: [{ ...star, photo: photo('star.jpg') }] }
  expect(sameRequest(request, anew)).toBe(true)
  const own = { ...star, presetId: null }
  for (const change of [
    { stars: [star, second] },
    { stars: [{ ...star, presetId: 'bo-west' }] },
    { stars: [own] },
    { userFaces: [0] },
    { userPhoto: photo('me.jpg') },
    { prompt: 'cold light' },
    { aspect: '1:1' as const },
    { background: photo('place.jpg') },
    { consent: true },
  ]) {
    expect(sameRequest(request, { ...request, ...change }), JSON.stringify(change)).toBe(false)
    expect(sameRequest({ ...request, ...change }, request)).toBe(false)
  }
  const ofOwn = { ...request, stars: [own] }
  expect(sameRequest(ofOwn, { ...request, stars: [{ ...own, faceIndex: 1 }] })).toBe(false)
  expect(sameRequest(ofOwn, { ...request, stars: [{ ...own, photo: photo('star.jpg') }] })).toBe(
    false,
  )
})

it.each([
  [{ success: false, error: 'No.', code: 'provider_down' }, 'provider_down', true],
  [{ success: false, error: '', code: 'provider_down' }, 'NO_REASON', false],
  [{ success: false }, 'NO_REASON', false],
  [{ success: true, imageUrl: '' }, 'NO_PICTURE', false],
  ['words', 'BAD_ANSWER', false],
])('of the answer %j the failure is %s, in the server’s words: %s', (answer, code, fromServer) => {
  try {
    readStarted(answer, 200)
    expect.unreachable()
  } catch (failure) {
    expect(failure).toMatchObject({ code, fromServer, status: 200 })
  }
})

it('a refusal of forgotten photos is no reason to send them again where none was spared', async () => {
  const questions = holdQuestions()
  const keyed = { idempotencyKey: 'key', holdId: 'hold' }
  const started = startGeneration(request, keyed, new AbortController().signal)
  const refused = expect(started).rejects.toMatchObject({ code: 'upload_expired' })
  await questions[0]?.answer({ success: false, code: 'upload_expired', error: 'Gone.' }, 409)
  await refused
  expect(questions).toHaveLength(1)
})

it('a page of a proxy is none of the server’s refusals', async () => {
  const questions = holdQuestions()
  const digests = new Map([[request.userPhoto, 'me']])
  const keyed = { idempotencyKey: 'key', holdId: null }
  const started = startGeneration(
    { ...request, photoDigests: digests },
    keyed,
    new AbortController().signal,
  )
  const failed = expect(started).rejects.toMatchObject({
    code: 'PROXY_ERROR',
    status: 502,
    message: 'Backend proxy failed: 502',
  })
  await questions[0]?.answer({ code: 'upload_expired' }, 502)
  await failed
  expect(questions).toHaveLength(1)
})
