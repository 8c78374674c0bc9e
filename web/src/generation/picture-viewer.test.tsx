import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { show } from '../auth/testing/show.tsx'
import { PictureViewer } from './picture-viewer.tsx'

const scrollTo = vi.fn()
const scrollBy = vi.fn()
const onClose = vi.fn()
const keysOutside = vi.fn()
beforeEach(() => vi.clearAllMocks())

/** A picture of 1024 × 1280 pixels that its window shows so wide, in a dialog that scrolls over three windows of it. */
async function open(seenPx = 720) {
  await show(
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={keysOutside}>
      <PictureViewer src="/one.jpg" alt="A selfie" width={1024} height={1280} onClose={onClose} />
    </div>,
  )
  const picture = screen.getByRole('img', { name: 'A selfie' })
  const box = new DOMRect(100, 0, 500, 1000)
  const frame = picture.parentElement!
  Object.defineProperty(frame, 'clientWidth', { value: seenPx })
  picture.getBoundingClientRect = () => box
  const pane = screen.getByRole<HTMLDialogElement>('dialog')
  const sizes = { scrollWidth: 3000, scrollHeight: 3000, clientWidth: 1000, clientHeight: 1000 }
  for (const [name, value] of Object.entries(sizes)) Object.defineProperty(pane, name, { value })
  Object.assign(pane, { scrollTo, scrollBy })
  return { picture, frame, pane }
}

/** As wide as the styles say. */
const whole = ''

it('shows the picture whole; a press shows its own pixels around what was pressed, the next one all of it', async () => {
  const { picture, frame } = await open()
  expect([frame.style.width, picture.getAttribute('src')]).toEqual([whole, '/one.jpg'])
  const at = { clientX: 350, clientY: 200 }
  fireEvent.pointerDown(picture, at)
  fireEvent.click(picture, { ...at, detail: 1 })
  expect(frame.style.width).toBe('1024px')
  expect(scrollTo, 'half across and a fifth down').toHaveBeenCalledExactlyOnceWith(1000, 100)
  fireEvent.click(picture, { ...at, detail: 2 })
  expect(frame.style.width, 'a double press is one').toBe('1024px')
  fireEvent.click(picture, { ...at, detail: 1 })
  expect(frame.style.width).toBe(whole)
})

it('a drag of the mouse moves it, and is no press', async () => {
  const { picture, frame } = await open()
  fireEvent.pointerDown(picture, { clientX: 350, clientY: 200 })
  const moved = { pointerType: 'mouse', buttons: 1, movementX: 6, movementY: -8 }
  fireEvent(picture, Object.assign(new Event('pointermove', { bubbles: true }), moved))
  expect(scrollBy).toHaveBeenCalledExactlyOnceWith(-6, 8)
  fireEvent.click(picture, { clientX: 356, clientY: 192, detail: 1 })
  expect(frame.style.width).toBe(whole)
  for (const other of [{ buttons: 0 }, { pointerType: 'touch' }]) {
    fireEvent(picture, Object.assign(new Event('pointermove', { bubbles: true }), moved, other))
  }
  expect(scrollBy, 'fingers scroll by themselves').toHaveBeenCalledOnce()
})

it.each([
  ['+', '-'],
  ['=', '0'],
])(
  'the keys %s and %s enlarge it about its middle and show it whole, and are heard nowhere else',
  async (larger, smaller) => {
    const { frame, pane } = await open()
    const within = pane.querySelector('button')!
    fireEvent.keyDown(within, { key: larger })
    expect(frame.style.width).toBe('1024px')
    expect(scrollTo).toHaveBeenCalledExactlyOnceWith(1000, 1000)
    fireEvent.keyDown(within, { key: 'ArrowRight' })
    fireEvent.keyDown(within, { key: larger })
    expect(frame.style.width).toBe('1024px')
    fireEvent.keyDown(within, { key: smaller })
    expect(frame.style.width).toBe(whole)
    expect(keysOutside).not.toHaveBeenCalled()
  },
)

it('the wheel does so too, and a window larger than the picture shows it twice as large', async () => {
  const { picture, frame } = await open(1100)
  fireEvent.wheel(picture, { deltaY: -100 })
  expect(frame.style.width).toBe('2048px')
  fireEvent.wheel(picture, { deltaY: 100 })
  expect(frame.style.width).toBe(whole)
})

it('a button shows its own pixels too, about its middle, and then all of it', async () => {
  const { frame } = await open()
  const button = screen.getByRole('button', { name: 'Actual size' })
  fireEvent.click(button)
  expect([frame.style.width, button.textContent]).toEqual(['1024px', 'Whole picture'])
  expect(scrollTo).toHaveBeenCalledExactlyOnceWith(1000, 1000)
  fireEvent.click(button)
  expect([frame.style.width, button.textContent]).toEqual([whole, 'Actual size'])
})

it('arrow keys are left to what is around it while it is whole', async () => {
  const { pane } = await open()
  fireEvent.keyDown(pane.querySelector('button')!, { key: 'ArrowRight' })
  expect(keysOutside).toHaveBeenCalledOnce()
})

it('is closed by its button', async () => {
  await open()
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(onClose).toHaveBeenCalledOnce()
})
