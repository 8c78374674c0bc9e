import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { show } from '../auth/testing/show.tsx'
import type { ChosenPhoto } from '../generation/use-photo.ts'
import { KioskCamera } from './kiosk-booth.tsx'
import { pass } from './testing/test-event.ts'
import { stubCanvas } from '../generation/testing/stub-canvas.ts'
import { takeAnyStream } from '../generation/testing/take-any-stream.ts'

const onPhoto = vi.fn<(file: File) => void>()
let isAllowed: boolean
beforeEach(() => {
  isAllowed = true
  onPhoto.mockReset()
  vi.useFakeTimers()
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue(undefined)
  stubCanvas(() => new Blob(['GIF89a']))
  takeAnyStream()
  vi.stubGlobal('navigator', {
    mediaDevices: {
      getUserMedia: () =>
        isAllowed ? Promise.resolve({ getTracks: () => [] }) : Promise.reject(new Error('no')),
    },
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = async (photo: ChosenPhoto | null = null): Promise<void> => {
  await show(<KioskCamera photo={photo} onPhoto={onPhoto} />)
  await pass(50)
}
const counts = (): string[] => screen.getAllByRole('status').map(({ textContent }) => textContent)

it('counts three seconds down before the photo, however often it is pressed', async () => {
  await open()
  const take = screen.getByRole('button', { name: 'Take the picture' })
  act(() => void fireEvent.click(take))
  expect(counts()).toContain('3')
  await pass(1_000)
  act(() => void fireEvent.click(take))
  expect(counts()).toContain('2')
  await pass(1_000)
  expect(counts()).toContain('1')
  expect(onPhoto).not.toHaveBeenCalled()
  await pass(1_000)
  expect(onPhoto).toHaveBeenCalledTimes(1)
  expect(counts()).not.toContain('1')
})

it('a photo that was refused is taken again, beside the reason', async () => {
  const file = new File(['GIF89a'], 'camera.jpg')
  await open({
    prepared: { file, readable: false, widthPx: null, heightPx: null },
    check: {
      state: 'answered',
      answer: {
        success: true,
        usable: false,
        faces: [],
        refusals: [{ code: 'face_not_found', sentence: 'We found no face.' }],
        hints: [],
        widthPx: 8,
        heightPx: 8,
      },
    },
    faceIndex: null,
  })
  expect(screen.getByRole('list', { name: 'Photo check' }).textContent).toContain('face')
  expect(document.querySelector('video')?.parentElement?.querySelector('img')).toBeNull()
  act(() => void fireEvent.click(screen.getByRole('button', { name: 'Take it again' })))
  expect(counts()).toContain('3')
  expect(screen.queryByRole('list', { name: 'Photo check' }), 'while it counts').toBeNull()
})

it('shows the guest as in a mirror, and the photo that is looked at too', async () => {
  const file = new File(['GIF89a'], 'camera.jpg')
  const prepared = { file, readable: true, widthPx: 8, heightPx: 8 }
  await open({ prepared, check: { state: 'checking' }, faceIndex: null })
  const pictures = [...document.querySelectorAll('video, video ~ img, video ~ * img')]
  expect(
    pictures.map(({ tagName, className }) => [tagName, /-scale-x-100/.test(className)]),
  ).toEqual([
    ['VIDEO', true],
    ['IMG', true],
  ])
})

it('without a camera it sends for the team and takes nothing', async () => {
  isAllowed = false
  await open()
  expect(screen.getByRole('alert').textContent).toBe(
    "The camera can't be used. Please call the team.",
  )
  act(() => void fireEvent.click(screen.getByRole('button', { name: 'Take the picture' })))
  await pass(5_000)
  expect(onPhoto).not.toHaveBeenCalled()
})

it('gives up the countdown with a guest who leaves', async () => {
  await open()
  act(() => void fireEvent.click(screen.getByRole('button', { name: 'Take the picture' })))
  await pass(2_500)
  cleanup()
  await pass(5_000)
  expect(onPhoto).not.toHaveBeenCalled()
})
