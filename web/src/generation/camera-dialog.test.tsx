import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { show } from '../auth/testing/show.tsx'
import { CameraDialog } from './camera-dialog.tsx'
import { PhotoSource } from './photo-source.tsx'
import { stubCanvas } from './testing/stub-canvas.ts'
import { takeAnyStream } from './testing/take-any-stream.ts'

interface Asked {
  facing: unknown
  stop: ReturnType<typeof vi.fn>
  allow: () => Promise<void>
  deny: () => Promise<void>
}
let asked: Asked[]
const acts = { onClose: vi.fn(), onUpload: vi.fn(), onPhoto: vi.fn() }

beforeEach(() => {
  asked = []
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue(undefined)
  takeAnyStream()
  vi.stubGlobal('navigator', {
    mediaDevices: {
      getUserMedia: ({ video }: { video: { facingMode: unknown } }) => {
        const { promise, resolve, reject } = Promise.withResolvers<MediaStream>()
        const stop = vi.fn()
        const stream = { getTracks: () => [{ stop }] } as unknown as MediaStream
        asked.push({
          facing: video.facingMode,
          stop,
          allow: () => act(async () => resolve(stream)),
          deny: () => act(async () => reject(new Error('no'))),
        })
        return promise
      },
    },
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = () => <CameraDialog facing="user" {...acts} />
const shoot = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Take photo' })

it('starts with the camera that is asked for, and takes no photo before it is live', async () => {
  await show(open())
  expect(screen.getByText('Starting the camera...')).toBeTruthy()
  expect([asked.map(({ facing }) => facing), shoot().disabled]).toEqual([['user'], true])
  await asked[0]?.allow()
  expect(screen.queryByText('Starting the camera...')).toBeNull()
  expect(shoot().disabled).toBe(false)
})

it('is switched to the other camera and back, and each is off when the next one is on', async () => {
  await show(open())
  await asked[0]?.allow()
  for (const facing of ['environment', 'user']) {
    fireEvent.click(screen.getByRole('button', { name: 'Switch camera' }))
    expect(asked.at(-1)?.facing).toBe(facing)
    expect(asked.at(-2)?.stop).toHaveBeenCalledOnce()
    await asked.at(-1)?.allow()
  }
})

it('offers a file where the camera is denied', async () => {
  await show(open())
  await asked[0]?.deny()
  expect(screen.getByRole('alert').textContent).toMatch(/^The camera cannot be used\./)
  expect(screen.queryByRole('button', { name: 'Take photo' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Upload Photo' }))
  expect(acts.onUpload).toHaveBeenCalledOnce()
  expect(acts.onClose).not.toHaveBeenCalled()
})

it('gives the frame of the moment as a photo, and says so where it cannot be written', async () => {
  let frame: Blob | null = new Blob(['frame'])
  const { written } = stubCanvas(() => frame)
  await show(open())
  await asked[0]?.allow()
  Object.assign(document.querySelector('video')!, { videoWidth: 640, videoHeight: 480 })
  await act(async () => void fireEvent.click(shoot()))
  expect(written).toHaveBeenCalledExactlyOnceWith(640, 480, 'image/jpeg')
  const [photo] = acts.onPhoto.mock.calls[0] as [File]
  expect([photo.name, photo.type, await photo.text()]).toEqual([
    'camera.jpg',
    'image/jpeg',
    'frame',
  ])
  frame = null
  await act(async () => void fireEvent.click(shoot()))
  expect(screen.getByRole('alert').textContent).toMatch(/^The camera cannot be used\./)
  expect(acts.onPhoto).toHaveBeenCalledOnce()
})

it('whoever rather chooses a file finds the camera closed behind it', async () => {
  await show(
    <PhotoSource
      label="Choose"
      person="PERSON 1"
      disabled={false}
      facing="user"
      onFile={() => {}}
    />,
  )
  const chosen = vi.fn()
  document.querySelector('input[type=file]')?.addEventListener('click', chosen)
  fireEvent.click(screen.getByRole('button', { name: 'Take Photo: PERSON 1' }))
  await screen.findByRole('dialog')
  await asked[0]?.deny()
  fireEvent.click(screen.getByRole('button', { name: 'Upload Photo' }))
  expect(chosen).toHaveBeenCalledOnce()
  expect([screen.queryByRole('dialog'), asked.length]).toEqual([null, 1])
})

it('a photo that the camera took is handed on, and the camera closes', async () => {
  stubCanvas()
  const onFile = vi.fn<(file: File) => void>()
  await show(
    <PhotoSource label={null} person="PERSON 1" disabled={false} facing="user" onFile={onFile} />,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Take Photo: PERSON 1' }))
  await screen.findByRole('dialog')
  await asked[0]?.allow()
  await act(async () => void fireEvent.click(shoot()))
  expect(onFile.mock.calls.map(([file]) => file.name)).toEqual(['camera.jpg'])
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('the same file can be chosen again', async () => {
  const emptied = vi.spyOn(HTMLInputElement.prototype, 'value', 'set')
  const onFile = vi.fn<(file: File) => void>()
  await show(
    <PhotoSource label={null} person="PERSON 1" disabled={false} facing="user" onFile={onFile} />,
  )
  const files = [new File(['x'], 'me.jpg', { type: 'image/jpeg' })]
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files } })
  expect(emptied).toHaveBeenCalledWith('')
  expect(onFile).toHaveBeenCalledOnce()
})

it('the front camera is a mirror, the other one is not', async () => {
  await show(open())
  const isMirror = () => document.querySelector('video')?.className.includes('-scale-x-100')
  expect(isMirror()).toBe(true)
  await asked[0]?.allow()
  fireEvent.click(screen.getByRole('button', { name: 'Switch camera' }))
  await asked[1]?.allow()
  expect(isMirror()).toBe(false)
})

it('begins with the camera that looks away where somebody else is taken, without sound, and can be given up', async () => {
  const media = vi.spyOn(navigator.mediaDevices, 'getUserMedia')
  acts.onClose.mockClear()
  acts.onUpload.mockClear()
  await show(<CameraDialog facing="environment" {...acts} />)
  expect(asked.map(({ facing }) => facing)).toEqual(['environment'])
  expect(media.mock.calls[0]?.[0]).toMatchObject({ audio: false })
  const oval = () => screen.getByRole('dialog').querySelector('.border-dashed')
  expect(oval(), 'before there is a picture').toBeNull()
  await asked[0]?.allow()
  expect(oval()).not.toBeNull()
  expect(document.querySelector('video')?.muted).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect([acts.onClose.mock.calls.length, acts.onUpload.mock.calls.length]).toEqual([1, 0])
})

it('the photo is what the camera shows, as a JPEG', async () => {
  const { drawImage, written } = stubCanvas()
  await show(open())
  await asked[0]?.allow()
  await act(async () => void fireEvent.click(shoot()))
  expect(drawImage).toHaveBeenCalledExactlyOnceWith(document.querySelector('video'), 0, 0)
  expect(written.mock.lastCall?.[2]).toBe('image/jpeg')
})

it('a file field that is left without a file chooses none', async () => {
  const onFile = vi.fn<(file: File) => void>()
  await show(
    <PhotoSource label={null} person="PERSON 1" disabled={false} facing="user" onFile={onFile} />,
  )
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files: [] } })
  expect(onFile).not.toHaveBeenCalled()
})
