import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import messages from '@starside/contract/texts/en/variations.json'
import { show } from '../auth/testing/show.tsx'
import { MoreActions } from './selfie-view.tsx'
import { testSelfie } from './testing/test-selfie.ts'

const variations = {
  busy: false,
  error: null,
  pendingId: null,
  shownId: undefined,
  awaitedId: undefined,
  deletedIds: null,
  undoSeconds: 0,
  choose: vi.fn(),
  othersCame: undefined,
  askForOthers: vi.fn(),
  remove: vi.fn(),
  restore: vi.fn(),
  takeSaved: vi.fn(),
  deleteLayers: vi.fn(),
}
const passing = {
  text: 'A text',
  shareFile: null,
}
const shared = {
  text: 'Copy link',
  busy: false,
  error: null,
  notice: null,
  link: null,
  shows: '',
  copy: vi.fn(),
  share: vi.fn(),
  remove: vi.fn(),
}
type Props = Parameters<typeof MoreActions>[0]
const open = (change: Partial<Props> = {}) =>
  show(
    <MoreActions
      imageUrl="/one.jpg"
      item={testSelfie}
      isKept={false}
      passing={passing}
      shared={shared}
      variations={variations}
      {...change}
    />,
  )
const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent)

it('offers only what the device and the picture allow', async () => {
  await open()
  expect(buttons()).toEqual(['Copy link', 'Print'])
  expect(screen.queryAllByRole('link'), 'none that would share something else').toEqual([])
})

it.each([
  [['v1'], 'The version is deleted, with any link to it.'],
  [['v2', 'v1'], '2 versions are deleted, with any link to them.'],
])('deleted versions (%j) can be brought back', async (deletedIds, text) => {
  await open({ variations: { ...variations, deletedIds } })
  expect(screen.getByText(text, { exact: false })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(variations.restore).toHaveBeenCalledOnce()
  variations.restore.mockClear()
})

it('shares where that is possible', async () => {
  const shareFile = vi.fn(async () => true)
  await open({ passing: { ...passing, shareFile } })
  fireEvent.click(screen.getByRole('button', { name: 'Share the picture' }))
  expect(shareFile).toHaveBeenCalledOnce()
})

it.each([
  [1, false],
  [2, true],
])('of %i versions one can be deleted: %s', async (count, isOffered) => {
  const version = { arrangement: null } as unknown as (typeof testSelfie.variations)[number]
  await open({ item: { ...testSelfie, variations: Array.from({ length: count }, () => version) } })
  expect(buttons().includes(messages.deleteOne)).toBe(isOffered)
})
