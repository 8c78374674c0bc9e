import { QueryClient } from '@tanstack/react-query'
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { holdQuestions } from '../api/testing/test-answers.ts'
import { settle, show } from '../auth/testing/show.tsx'
import * as catalogues from '../ui/messages/catalogues.ts'
import type { RunningGeneration } from './generator-state.ts'
import { generationStages } from '@starside/contract/scenes.ts'
import { percentOf } from './generation-progress.tsx'
import { ResultPanel } from './result-panel.tsx'
import { ownPhoto } from './testing/test-photo.ts'
import { testSelfie } from './testing/test-selfie.ts'

it('what shows the picture is loaded while it is made, the words of its versions included', async () => {
  const load = vi.spyOn(catalogues, 'loadCatalogue')
  const panel = (isRunning: boolean) => (
    <ResultPanel
      running={isRunning ? { startedAtMs: 0, stage: null, expectedMs: null } : null}
      picture={null}
      problem={null}
      previews={[null, null]}
      before={null}
      changeItem={() => undefined}
      removePicture={() => undefined}
    />
  )
  const { again } = await show(panel(false))
  expect(load).not.toHaveBeenCalledWith('variations', 'en')
  await again(panel(true))
  expect(load).toHaveBeenCalledWith('variations', 'en')
})

const panelWith = (change: Partial<Parameters<typeof ResultPanel>[0]>) => (
  <ResultPanel
    running={null}
    picture={null}
    problem={null}
    previews={['/me.jpg', '/star.jpg']}
    before={null}
    changeItem={() => undefined}
    removePicture={() => undefined}
    {...change}
  />
)
const someWork: RunningGeneration = { startedAtMs: 0, stage: null, expectedMs: null }

it('on a phone what fills the screen is gone for good once the work has stopped', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  const { again } = await show(panelWith({ running: someWork }))
  const sheet = () => screen.queryByRole('dialog', { name: 'AI RESULT' })
  expect(sheet()).not.toBeNull()
  await again(panelWith({ problem: <p>No face.</p> }))
  expect(sheet()).toBeNull()
  const picture = { imageUrl: '/one.jpg', item: testSelfie, fresh: false }
  await again(panelWith({ picture }))
  expect(sheet(), 'also when another picture is looked at').toBeNull()
  vi.unstubAllGlobals()
})

it('takes the focus when the work begins only where nothing else has it', async () => {
  const field = document.body.appendChild(document.createElement('input'))
  field.focus()
  const { again } = await show(panelWith({}))
  await again(panelWith({ running: someWork }))
  expect(document.activeElement).toBe(field)
  await again(panelWith({}))
  field.remove()
  await again(panelWith({ running: someWork }))
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'AI RESULT' }))
})

it('the picture is compared with the photo that it was made of, while that is at hand', async () => {
  const picture = { imageUrl: '/one.jpg', item: testSelfie, fresh: true }
  const { again } = await show(panelWith({ picture, before: ownPhoto }))
  fireEvent.click(await screen.findByRole('button', { name: 'Before / after' }))
  expect(screen.getByRole('img', { name: 'Your photo' }).getAttribute('src')).toBe('/me.jpg')
  await again(panelWith({ picture, previews: ['/another.jpg', '/star.jpg'] }))
  expect(screen.queryByRole('button', { name: 'Before / after' })).toBeNull()
  expect(screen.queryByRole('img', { name: 'Your photo' })).toBeNull()
})

it('what changes of the picture in the gallery is seen here, and there what changes here', async () => {
  const questions = holdQuestions()
  const queryClient = new QueryClient()
  const onItem = vi.fn()
  const picture = { imageUrl: '/one.jpg', item: testSelfie, fresh: false }
  await show(panelWith({ picture, changeItem: onItem }), { queryClient })
  await screen.findByRole('button', { name: 'Enlarge the picture' })
  const shown = () => screen.getByRole('img', { name: /made with AI/ }).getAttribute('src')
  expect(shown()).toBe('/one.jpg')
  const changed = { ...testSelfie, imageUrl: '/changed.jpg' }
  const list = { success: true, total: 1, stars: [], nextCursor: null }
  await questions[0]?.answer({ ...list, items: [changed] })
  await settle()
  expect(shown()).toBe('/changed.jpg')
  fireEvent.click(screen.getByRole('button', { name: /^More/ }))
  fireEvent.click(await screen.findByRole('button', { name: 'Make public and copy link' }))
  const shared = { ...changed, shareUrl: '/?selfie=A' }
  const made = questions.find(({ address }) => address.endsWith('/share'))
  await made?.answer({ success: true, generation: shared })
  await settle()
  expect(onItem).toHaveBeenCalledExactlyOnceWith(shared)
  const [gallery] = queryClient.getQueriesData<{ pages: { items: unknown[] }[] }>({
    queryKey: ['generations'],
  })
  expect(gallery?.[1]?.pages[0]?.items, 'the gallery has it too').toEqual([shared])
  vi.unstubAllGlobals()
})

it('on a phone the work fills the screen until a link of it leads to the page behind', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  const panel = (running: RunningGeneration | null) => (
    <ResultPanel
      running={running}
      picture={running ? null : { imageUrl: '/one.jpg', item: testSelfie, fresh: true }}
      problem={null}
      previews={[null, null]}
      before={null}
      changeItem={() => undefined}
      removePicture={() => undefined}
    />
  )
  const { again } = await show(panel({ startedAtMs: 0, stage: null, expectedMs: null }), {})
  const sheet = screen.getByRole('dialog', { name: 'AI RESULT' })
  await again(panel(null))
  const link = await screen.findByRole('link', { name: /watermark/ })
  expect(sheet.contains(link)).toBe(true)
  await act(async () => void fireEvent.click(link))
  expect(screen.queryByRole('dialog', { name: 'AI RESULT' })).toBeNull()
  expect(screen.getByRole('img', { name: /made with AI/ })).toBeTruthy()
  vi.unstubAllGlobals()
  history.replaceState(null, '', '/')
})

it('on a phone the work is closed by a press, and not by a link that opens elsewhere', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  const { again } = await show(panelWith({ running: someWork }))
  const sheet = () => screen.queryByRole('dialog', { name: 'AI RESULT' })
  const away = document.body.appendChild(document.createElement('a'))
  away.href = '/terms'
  away.addEventListener('click', (event) => event.preventDefault())
  act(() => away.click())
  expect(sheet()).not.toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(sheet()).toBeNull()
  await again(panelWith({ picture: { imageUrl: '/one.jpg', item: testSelfie, fresh: true } }))
  expect(sheet(), 'who has closed it is not disturbed').toBeNull()
  vi.unstubAllGlobals()
})

it.each([
  ['one that was just made is announced', true],
  ['one of an earlier visit is not', false],
])('a picture: %s; one whose address no longer works is given up', async (_what, fresh) => {
  const onGone = vi.fn()
  await show(
    panelWith({
      picture: { imageUrl: '/one.jpg', item: testSelfie, fresh },
      removePicture: onGone,
    }),
  )
  const picture = await screen.findByRole('img', { name: /made with AI/ })
  expect(screen.queryByText('Your selfie is ready.') !== null).toBe(fresh)
  fireEvent.error(picture)
  expect(onGone).toHaveBeenCalledOnce()
})

it('says which stage it is at, for how long it has run and how long it usually takes', async () => {
  const running = (seconds: number, change: Partial<RunningGeneration>): RunningGeneration => ({
    startedAtMs: Date.now() - seconds * 1_000,
    stage: null,
    expectedMs: null,
    ...change,
  })
  const { again } = await show(panelWith({ running: running(1.5, {}) }))
  const bar = () => screen.getByRole('progressbar')
  const steps = () => screen.getAllByRole('listitem')
  const current = () => steps().findIndex((step) => step.getAttribute('aria-current') === 'step')
  const clock = () => screen.getByText(/ elapsed/u)
  expect([bar().getAttribute('aria-valuenow'), current()]).toEqual(['0', 0])
  expect(clock().className).toContain('invisible')
  expect(clock().textContent).not.toContain('usually')
  expect(screen.getByText(/^Sending your photos/u)).toBeTruthy()
  const later = { stage: generationStages[2], stagePercent: 50, expectedMs: 42_000 }
  await again(panelWith({ running: running(65.5, later) }))
  const percent = percentOf(later.stage, 50)
  expect(bar().getAttribute('aria-valuenow')).toBe(String(percent))
  expect(bar().getAttribute('aria-valuetext')).toBe(`${steps()[2]?.textContent}, ${percent} %`)
  expect(current()).toBe(2)
  expect(clock().className).not.toContain('invisible')
  expect(screen.getByText(/^You can leave this page/u)).toBeTruthy()
  expect(clock().textContent).toMatch(/1:05.*0:42/u)
  const told = screen.getAllByRole('status').map(({ textContent }) => textContent)
  expect(told.some((text) => text.includes(steps()[2]!.textContent))).toBe(true)
})
