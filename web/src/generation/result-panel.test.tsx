import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { show } from '../auth/testing/show.tsx'
import * as catalogues from '../ui/messages/catalogues.ts'
import type { RunningGeneration } from './generator-state.ts'
import { ResultPanel } from './result-panel.tsx'
import { testSelfie } from './testing/test-selfie.ts'

it('what shows the picture is loaded while it is made, the words of its versions included', async () => {
  const load = vi.spyOn(catalogues, 'loadCatalogue')
  const panel = (isRunning: boolean) => (
    <ResultPanel
      number="3"
      running={isRunning ? { startedAtMs: 0, stage: null, expectedMs: null } : null}
      picture={null}
      problem={null}
      previews={[null, null]}
      onItem={() => undefined}
      onGone={() => undefined}
    />
  )
  const { again } = await show(panel(false))
  expect(load).not.toHaveBeenCalledWith('variations', 'en')
  await again(panel(true))
  expect(load).toHaveBeenCalledWith('variations', 'en')
})

it('on a phone the work fills the screen until a link of it leads to the page behind', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  const panel = (running: RunningGeneration | null) => (
    <ResultPanel
      number="3"
      running={running}
      picture={running ? null : { imageUrl: '/one.jpg', item: testSelfie, fresh: true }}
      problem={null}
      previews={[null, null]}
      onItem={() => undefined}
      onGone={() => undefined}
    />
  )
  const { again } = await show(panel({ startedAtMs: 0, stage: null, expectedMs: null }), {
    areas: ['variations'],
  })
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
