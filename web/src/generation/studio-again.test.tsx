import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { show } from '../auth/testing/show.tsx'
import { testProfile } from '../auth/testing/test-auth.ts'
import { stubDatabases } from '../install/testing/test-database.ts'
import { settle, stopTime } from '../ui/testing/press-each.ts'
import { forgetDraft } from './selfie-draft.ts'
import { Studio } from './studio.tsx'
import { testSelfie } from './testing/test-selfie.ts'
import { testStar } from './testing/test-star.ts'

let asked: FormData[]
let answer: { status: number; json: object }
const inspected = {
  success: true,
  usable: true,
  faces: [
    {
      x: 0.1,
      y: 0.2,
      width: 0.25,
      height: 0.5,
      isMain: true,
      refusals: [],
      reason: null,
      hints: [],
    },
  ],
  refusals: [],
  hints: [],
  widthPx: 8,
  heightPx: 10,
}

beforeEach(() => {
  stopTime(Date.parse('2026-11-22T12:00:00Z'))
  stubDatabases()
  asked = []
  answer = { status: 409, json: { success: false, code: 'already_made', error: 'Made before.' } }
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    if (address.includes('action=presets')) {
      return Response.json({
        success: true,
        presets: [testStar(), testStar({ id: 'bo-west', name: 'Bo West' })],
        nextCursor: null,
      })
    }
    if (address.includes('action=inspect')) return Response.json(inspected)
    if (address.endsWith('ada-vale.jpg')) return new Response(new Blob(['GIF89a']))
    if (!address.includes('action=generate')) return new Promise(() => undefined)
    asked.push(init.body as FormData)
    return Response.json(answer.json, { status: answer.status })
  })
})
afterEach(() => {
  forgetDraft()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  localStorage.clear()
  sessionStorage.clear()
})

const dismissCreditProblem = vi.fn()

async function open(onComplete = () => undefined): Promise<void> {
  const user = { ...testProfile, userId: crypto.randomUUID(), creditsBalance: 3 }
  const studio = (
    <Studio
      creditProblem={null}
      onDismissCreditProblem={dismissCreditProblem}
      verifyCredits={async () => true}
      onComplete={onComplete}
    />
  )
  await show(studio, { auth: { user } })
  await settle()
  fireEvent.click(screen.getByRole('button', { name: 'Ada Vale' }))
  const files = [new File(['GIF89a'], 'me.jpg', { type: 'image/jpeg' })]
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files } })
  await settle()
}
const press = async (name: string): Promise<void> => {
  await act(async () => void fireEvent.click(screen.getByRole('button', { name })))
  await settle()
}
const asksFirst = () => asked.map((form) => form.has('askBeforeRepeat'))

it('the same selfie is made once more, without a further question, only after a press that says so', async () => {
  await open()
  await press('Generate Celebrity Selfie')
  expect(asksFirst()).toEqual([true])
  expect(screen.getByRole('alert').textContent).toContain('Already made')
  answer = { status: 200, json: { success: true, generation: testSelfie } }
  await press('Make it again (1 credit)')
  expect(asksFirst()).toEqual([true, false])
  expect(screen.queryByText('Already made')).toBeNull()
})

const choosePhoto = (name: string): void => {
  const files = [new File(['GIF89a'], name, { type: 'image/jpeg' })]
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files } })
}

it.each([
  ['scene', () => fireEvent.click(screen.getByRole('radio', { name: 'Forest' }))],
  ['star', () => fireEvent.click(screen.getByRole('button', { name: 'Bo West' }))],
  ['photo', () => choosePhoto('other.jpg')],
])('what stood in the way is no longer said of another %s', async (_what, choose) => {
  answer = { status: 503, json: { success: false, code: 'provider_down', error: 'Down.' } }
  await open()
  await press('Generate Celebrity Selfie')
  expect(screen.getByRole('alert').textContent).toContain('Generation failed: Down.')
  dismissCreditProblem.mockClear()
  choose()
  await settle()
  expect(screen.queryByText(/Generation failed/)).toBeNull()
  expect(dismissCreditProblem, 'nor what came of the credit').toHaveBeenCalled()
})

it('beside another photo or star a selfie is called the last one, and why it is black and white is no longer said', async () => {
  const generation = {
    ...testSelfie,
    celebrity: 'Ada Vale',
    isGreyAdvised: true,
    greyHints: ['turned'],
  }
  answer = { status: 200, json: { success: true, generation } }
  await open()
  await press('Generate Celebrity Selfie')
  const said = () => [
    screen.queryByRole('heading', { name: 'Your last selfie' }) !== null,
    screen.queryByText(/suits this photo best/) !== null,
  ]
  expect(said()).toEqual([false, true])
  await press('Bo West')
  expect(said(), 'another star').toEqual([true, false])
  await press('Clear Selection')
  expect(said(), 'no star').toEqual([true, false])
  await press('Ada Vale')
  expect(said(), 'the same again').toEqual([false, true])
  choosePhoto('other.jpg')
  await settle()
  expect(said(), 'another photo').toEqual([true, false])
  expect(screen.getByRole('button', { name: 'Download Image' })).toBeTruthy()
})

it('while a selfie is made nothing of it is changed, and none besides is begun', async () => {
  await open()
  const made = Promise.withResolvers<Response>()
  const answered = globalThis.fetch
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    if (!address.includes('action=generate')) return answered(address, init)
    asked.push(init.body as FormData)
    return made.promise
  })
  const isOff = () => [
    screen.getByRole<HTMLButtonElement>('button', { name: 'Bo West' }).disabled,
    screen.getByRole('radio', { name: 'Forest' }).closest('fieldset')?.disabled,
    document.querySelector<HTMLInputElement>('input[type=file]')?.disabled,
  ]
  expect(isOff()).toEqual([false, false, false])
  await press('Generate Celebrity Selfie')
  expect(isOff()).toEqual([true, true, true])
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Creating Magic...' })
  expect([button.disabled, screen.getByRole('progressbar') !== null]).toEqual([true, true])
  made.resolve(Response.json({ success: true, generation: testSelfie }))
  await settle()
  expect(isOff()).toEqual([false, false, false])
  expect(asked).toHaveLength(1)
})
