import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useCamera, type Facing } from './camera-dialog.tsx'
import { takeAnyStream } from './testing/take-any-stream.ts'

/** What the browser was asked for, to be answered by hand. */
let asked: {
  facing: unknown
  give: () => Promise<void>
  refuse: () => Promise<void>
  stop: () => void
}[]

beforeEach(() => {
  asked = []
  const getUserMedia = ({ video }: MediaStreamConstraints) => {
    const { promise, resolve, reject } = Promise.withResolvers<MediaStream>()
    const stop = vi.fn()
    const stream = { getTracks: () => [{ stop }] } as unknown as MediaStream
    asked.push({
      facing: typeof video === 'object' ? video.facingMode : undefined,
      give: () => act(async () => resolve(stream)),
      refuse: () => act(async () => reject(new DOMException('No', 'NotAllowedError'))),
      stop,
    })
    return promise
  }
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } })
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue(undefined)
  takeAnyStream()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function Camera({ facing }: { facing: Facing }) {
  const { video, state } = useCamera(facing, vi.fn())
  return (
    <>
      <video ref={video} muted />
      <output>{state}</output>
    </>
  )
}
const state = () => screen.getByRole('status').textContent

it('a camera that is allowed after its window was closed is switched off at once', async () => {
  const { unmount } = render(<Camera facing="user" />)
  unmount()
  await asked[0]?.give()
  expect(asked[0]?.stop).toHaveBeenCalledOnce()
})

it('a camera is switched off when its window is closed', async () => {
  const { unmount } = render(<Camera facing="user" />)
  await asked[0]?.give()
  expect(state()).toBe('live')
  expect(asked[0]?.stop).not.toHaveBeenCalled()
  unmount()
  expect(asked[0]?.stop).toHaveBeenCalledOnce()
})

it('the first camera does not take the place of the other one when it comes late', async () => {
  const { rerender } = render(<Camera facing="user" />)
  rerender(<Camera facing="environment" />)
  await asked[1]?.give()
  await asked[0]?.give()
  expect(asked.map(({ facing }) => facing)).toEqual(['user', 'environment'])
  expect(asked[0]?.stop).toHaveBeenCalledOnce()
  expect(asked[1]?.stop).not.toHaveBeenCalled()
  expect(state()).toBe('live')
})

it('another camera that works is live after one that was refused', async () => {
  const { rerender } = render(<Camera facing="user" />)
  await asked[0]?.refuse()
  expect(state()).toBe('denied')
  rerender(<Camera facing="environment" />)
  await asked[1]?.give()
  expect(state()).toBe('live')
})

it('a first camera that is refused late leaves the other one live', async () => {
  const { rerender } = render(<Camera facing="user" />)
  rerender(<Camera facing="environment" />)
  await asked[1]?.give()
  await asked[0]?.refuse()
  expect(state()).toBe('live')
})
