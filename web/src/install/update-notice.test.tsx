import { act, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { show } from '../auth/testing/show.tsx'
import { UpdateNotice } from './update-notice.tsx'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('who comes back to the page after an hour has it ask for a newer version, and not sooner', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T12:00:00Z') })
  const update = vi.fn(async () => undefined)
  const registration = Object.assign(new EventTarget(), { waiting: null, installing: null, update })
  vi.stubGlobal('navigator', {
    serviceWorker: { ready: Promise.resolve(registration), controller: null },
  })
  await show(<UpdateNotice />)
  const comeBackAt = (time: string) => {
    vi.setSystemTime(Date.parse(`2026-11-22T${time}Z`))
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    return update.mock.calls.length
  }
  const asked = ['12:59:59', '13:00:00', '13:59:59', '14:00:00'].map(comeBackAt)
  expect(asked).toEqual([0, 1, 1, 2])
})

it.each([
  ['that waits already when the page is opened is told of', {}, true],
  ['is none where the app was never there before', null, false],
])('a version %s', async (_what, controller, isTold) => {
  const registration = Object.assign(new EventTarget(), { waiting: {}, installing: null })
  vi.stubGlobal('navigator', {
    serviceWorker: { ready: Promise.resolve(registration), controller },
  })
  await show(<UpdateNotice />)
  expect(screen.queryByText('An update is ready.') !== null).toBe(isTold)
})

it('a version that is found while the page is open is told of once it is there, and can be put off', async () => {
  const installing = new EventTarget()
  const registration = Object.assign(new EventTarget(), {
    waiting: null as object | null,
    installing: null as EventTarget | null,
  })
  vi.stubGlobal('navigator', {
    serviceWorker: { ready: Promise.resolve(registration), controller: {} },
  })
  await show(<UpdateNotice />)
  const isTold = () => screen.queryByText('An update is ready.') !== null
  registration.installing = installing
  act(() => void registration.dispatchEvent(new Event('updatefound')))
  expect(isTold()).toBe(false)
  registration.waiting = {}
  act(() => void installing.dispatchEvent(new Event('statechange')))
  expect(isTold()).toBe(true)
  act(() => screen.getByRole('button', { name: 'Not now' }).click())
  expect(isTold()).toBe(false)
})

it('a version that is being installed when the page is opened is told of once it waits, and loaded at a press', async () => {
  const installing = new EventTarget()
  const registration = Object.assign(new EventTarget(), {
    waiting: null as object | null,
    installing,
  })
  const container = Object.assign(new EventTarget(), {
    ready: Promise.resolve(registration),
    controller: {},
  })
  vi.stubGlobal('navigator', { serviceWorker: container })
  const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined)
  await show(<UpdateNotice />)
  const postMessage = vi.fn()
  registration.waiting = { postMessage }
  act(() => void installing.dispatchEvent(new Event('statechange')))
  act(() => screen.getByRole('button', { name: 'Update' }).click())
  expect(postMessage).toHaveBeenCalledExactlyOnceWith('activate')
  expect(reload, 'while the old one is at work').not.toHaveBeenCalled()
  container.dispatchEvent(new Event('controllerchange'))
  container.dispatchEvent(new Event('controllerchange'))
  expect(reload).toHaveBeenCalledOnce()
  reload.mockRestore()
})

it('nothing is asked by a page that nobody sees or that is gone, nor where the browser has no such thing', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T12:00:00Z') })
  const update = vi.fn(() => Promise.reject(new Error('no line')))
  const registration = Object.assign(new EventTarget(), { waiting: null, installing: null, update })
  vi.stubGlobal('navigator', {
    serviceWorker: { ready: Promise.resolve(registration), controller: null },
  })
  const { unmount } = await show(<UpdateNotice />)
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  const comeBackAt = (hour: number) => {
    vi.setSystemTime(Date.parse(`2026-11-22T${hour}:00:00Z`))
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    return update.mock.calls.length
  }
  expect(comeBackAt(14)).toBe(0)
  hidden.mockRestore()
  expect(comeBackAt(16), 'and what fails is asked for later').toBe(1)
  unmount()
  expect(comeBackAt(18)).toBe(1)
  vi.stubGlobal('navigator', {})
  await show(<UpdateNotice />)
  expect(screen.getByRole('status').textContent).toBe('')
})
