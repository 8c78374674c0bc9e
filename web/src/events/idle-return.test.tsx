import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { show } from '../auth/testing/show.tsx'
import { IdleReturn } from './kiosk-booth.tsx'

const onReturn = vi.fn<() => void>()
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  onReturn.mockReset()
})

const start = () => show(<IdleReturn onReturn={onReturn} />)
const told = () => screen.getByRole('status').textContent
const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms))

it('nobody touches it for forty seconds: it warns for the last ten, and returns once', async () => {
  await start()
  pass(29_750)
  expect(told()).toBe('')
  pass(250)
  expect(told()).toContain('10')
  pass(9_750)
  expect(told()).toMatch(/\b1\b/)
  expect(onReturn).not.toHaveBeenCalled()
  pass(250)
  expect(onReturn).toHaveBeenCalledTimes(1)
  pass(39_000)
  expect(onReturn).toHaveBeenCalledTimes(1)
})

it.each([
  ['a touch', () => fireEvent.pointerDown(document.body)],
  ['a key', () => fireEvent.keyDown(document.body, { key: 'Tab' })],
])('%s in the last second begins the forty anew', async (_, stir) => {
  await start()
  pass(39_500)
  expect(told()).toMatch(/\b1\b/)
  act(() => void stir())
  expect(told()).toBe('')
  pass(39_000)
  expect(onReturn).not.toHaveBeenCalled()
  pass(1_500)
  expect(onReturn).toHaveBeenCalledTimes(1)
})
