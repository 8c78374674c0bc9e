import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { show } from '../auth/testing/show.tsx'
import { PictureDialog } from './picture-dialog.tsx'
import { testSelfie } from './testing/test-selfie.ts'

const acts = {
  notices: null,
  onTurnBy: vi.fn(),
  onClose: vi.fn(),
  onDelete: vi.fn(),
  onItem: vi.fn(),
}

it.each([
  [true, 'with watermark'],
  [false, 'without watermark'],
])('says with whom, when, and whether it bears a watermark: %s', async (watermarked, words) => {
  const items = [{ ...testSelfie, watermarked }]
  await show(<PictureDialog {...acts} items={items} total={1} openId="one" />, {})
  const heading = await screen.findByRole('heading', { name: 'Selfie with Elena Vassandri' })
  expect(heading.nextElementSibling?.textContent).toMatch(new RegExp(`2026.* · ${words}$`))
  expect(heading.title, 'whole also where it is cut').toBe(heading.textContent)
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect([acts.onClose.mock.calls.length, acts.onDelete.mock.calls.length]).toEqual([1, 0])
  acts.onClose.mockClear()
})

it('is not there while no picture is open', async () => {
  await show(<PictureDialog {...acts} items={[testSelfie]} total={1} openId={null} />)
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('the next selfie is shown without what was unfolded of the one before', async () => {
  const items = ['one', 'two'].map((generationId) => ({ ...testSelfie, generationId }))
  const dialog = (openId: string) => (
    <PictureDialog {...acts} items={items} total={2} openId={openId} />
  )
  const { again } = await show(dialog('one'))
  fireEvent.click(await screen.findByRole('button', { name: 'More' }))
  expect(screen.getByRole('button', { name: 'Print' })).toBeDefined()
  await again(dialog('two'))
  expect(screen.queryByRole('button', { name: 'Print' })).toBeNull()
})

it('arrow keys turn to the neighbours, but not those of a field or of a dialog within', async () => {
  const { container } = await show(
    <PictureDialog {...acts} items={[testSelfie]} total={1} openId="one" />,
  )
  const place = screen.getByText('1 of 1')
  const inner = place.appendChild(document.createElement('dialog'))
  const field = place.appendChild(document.createElement('textarea'))
  for (const target of [inner, field]) fireEvent.keyDown(target, { key: 'ArrowRight' })
  expect(acts.onTurnBy).not.toHaveBeenCalled()
  fireEvent.keyDown(place, { key: 'ArrowRight' })
  expect(acts.onTurnBy.mock.calls).toEqual([[1]])
  container.remove()
})

it('counts no fewer selfies than it can turn to, and opens with the focus on no button', async () => {
  const items = ['one', 'two'].map((generationId) => ({ ...testSelfie, generationId }))
  await show(<PictureDialog {...acts} items={items} total={1} openId="two" />, {})
  expect(screen.getByText('2 of 2')).toBeTruthy()
  const first = screen.getByRole('dialog').querySelector('[autofocus]')
  expect(first?.contains(screen.getByRole('button', { name: 'Delete' }))).toBe(true)
})

it('fetches the pictures of both neighbours ahead', async () => {
  const items = ['a', 'b', 'c'].map((generationId) => ({
    ...testSelfie,
    generationId,
    imageUrl: `/${generationId}.jpg`,
  }))
  await show(<PictureDialog {...acts} items={items} total={3} openId="b" />)
  const ahead = [...document.querySelectorAll('img[hidden]')]
  expect(ahead.map((picture) => picture.getAttribute('src'))).toEqual(['/a.jpg', '/c.jpg'])
})
