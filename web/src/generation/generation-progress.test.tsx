import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { generationStages } from '@starside/contract/scenes.ts'
import { show } from '../auth/testing/show.tsx'
import { GenerationProgress } from './generation-progress.tsx'
import { OwnPhotoPanel } from './own-photo-panel.tsx'
import type { usePhoto } from './use-photo.ts'

const startedAtMs = Date.parse('2026-11-22T12:00:00Z')

beforeEach(() => void vi.useFakeTimers({ now: startedAtMs }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const clock = () => screen.getByText(/0:0\d/)
const isSeen = () => !/\binvisible\b/.test(clock().className)

it('what is over within three seconds shows no clock, what takes longer shows how long', async () => {
  const running = { stage: null, startedAtMs, expectedMs: 9_000 }
  await show(<GenerationProgress running={running} previews={[]} />)
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  expect(isSeen()).toBe(false)
  await pass(2_900)
  expect(isSeen()).toBe(false)
  await pass(1_100)
  expect(isSeen()).toBe(true)
  expect(clock().textContent).toMatch(/0:04.* · .*0:09/)
})

it('its bar, its list and what is read aloud say the same stage', async () => {
  const running = { stage: 'blend' as const, stagePercent: 50, startedAtMs, expectedMs: null }
  await show(<GenerationProgress running={running} previews={['/me.jpg', null]} aspect="16:9" />)
  const bar = screen.getByRole('progressbar')
  const [current, ...more] = document.querySelectorAll('[aria-current=step]')
  expect(more).toEqual([])
  const stage = current?.textContent ?? 'none'
  expect(bar.getAttribute('aria-valuetext')).toBe(
    `${stage}, ${bar.getAttribute('aria-valuenow')} %`,
  )
  expect(screen.getByRole('status').textContent).toContain(stage)
  expect(clock().textContent, 'nobody knows how long it takes').not.toContain('·')
  expect(document.querySelectorAll('img')).toHaveLength(1)
})

it.each(generationStages)('at %s its bar stands where the steps before it end', async (stage) => {
  const running = { stage, startedAtMs, expectedMs: null }
  await show(<GenerationProgress running={running} previews={[]} />)
  const steps = [...document.querySelectorAll('.stages > li')]
  const current = steps.findIndex((step) => step.hasAttribute('aria-current'))
  const over = current === -1 ? steps.length : current
  const percent = Number(screen.getByRole('progressbar').getAttribute('aria-valuenow'))
  expect(percent).toBe(Math.round((100 * over) / steps.length))
  cleanup()
})

const person = {
  id: 'face-1',
  image: '/face-1.jpg',
  thumbnail: { avif: null, jpeg: '/face-1-small.jpg' },
  licence: '',
  attribution: '',
}
const none = { photo: null } as unknown as ReturnType<typeof usePhoto>

it.each([
  ['the star that Tab stops at', ['shelf', 'add-star', 'ai-result'], 'shelf'],
  ['the way to a second star', ['add-star', 'ai-result'], 'add-star'],
  ['the result', ['ai-result'], 'ai-result'],
])('after a borrowed face the keyboard goes on at %s: of %j', async (_what, parts, next) => {
  vi.useRealTimers()
  vi.stubGlobal('fetch', async () => Response.json({ success: true, people: [person] }))
  const onBorrow = vi.fn(async () => undefined)
  const panel = (
    <>
      <OwnPhotoPanel
        mine={none}
        facesMax={1}
        disabled={false}
        onFile={() => undefined}
        onBorrow={onBorrow}
      />
      {parts.map((id) => (
        <section key={id} aria-labelledby={id === 'shelf' ? 'stars' : undefined}>
          <button type="button" id={id} tabIndex={0}>
            {id}
          </button>
        </section>
      ))}
    </>
  )
  await show(panel)
  const borrow = await screen.findByRole('button', { name: /face 1/i })
  await act(async () => void fireEvent.click(borrow))
  expect(onBorrow).toHaveBeenCalledWith(person)
  expect(document.activeElement?.id).toBe(next)
  cleanup()
})
