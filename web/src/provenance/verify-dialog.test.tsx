import type { VerifyAnswer } from '@starside/contract/provenance.ts'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import { show } from '../auth/testing/show.tsx'
import { VerifyDialog } from './verify-dialog.tsx'

let questions: HeldQuestion[]
beforeEach(() => {
  questions = holdQuestions()
})
afterEach(() => vi.unstubAllGlobals())

const unknown: VerifyAnswer = {
  success: true,
  verdict: 'unknown',
  madeOn: null,
  removed: false,
  recognisedBy: [],
  metadata: {
    digitalSourceType: null,
    system: null,
    systemVersion: null,
    contentCredentials: false,
  },
}
const choose = (name: string) => {
  const file = new File(['bytes'], name, { type: 'image/jpeg' })
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files: [file] } })
}
const text = () => screen.getByRole('dialog').textContent

it('of two pictures chosen one after the other the last one’s answer is shown', async () => {
  await show(<VerifyDialog onClose={() => {}} />)
  choose('first.jpg')
  expect(text()).toContain('Checking the picture...')
  choose('second.jpg')
  expect(text()).toContain('second.jpg')
  await questions[1]?.answer(unknown)
  await questions[0]?.answer({ ...unknown, verdict: 'made_here' })
  expect(text()).toContain("We don't recognise it.")
  expect(text()).not.toContain('This picture was made here')
  expect(text()).not.toContain('Checking')
})

it('a question that fails says so, and the next one begins anew', async () => {
  await show(<VerifyDialog onClose={() => {}} />)
  choose('first.jpg')
  await questions[0]?.fail()
  expect(screen.getByRole('alert').textContent).toBe('Something went wrong. Please try again.')
  choose('second.jpg')
  expect(screen.getByRole('alert').textContent).toBe('')
  expect(text()).toContain('Checking the picture...')
})

it.each([
  [{ verdict: 'made_here' }, 'Yes. This picture was made here, with AI.'],
  [
    { verdict: 'made_here', madeOn: '2026-11-21T02:30:00Z' },
    'Yes. This picture was made here, with AI, on November 21, 2026.',
  ],
  [{ verdict: 'claims_to_be' }, 'Only its hidden data names this site.'],
  [{ verdict: 'unknown' }, "We don't recognise it."],
  [{ removed: true }, 'It was removed here after a report.'],
  [{ recognisedBy: ['mark'] }, 'The invisible mark was found.'],
  [{ recognisedBy: ['fingerprint'] }, 'It matches a picture of ours.'],
  [{ recognisedBy: ['metadata'] }, 'Its hidden data names this site.'],
  [{}, 'We found no mark, match or hidden data of ours.'],
  [{}, 'Nothing.'],
  [
    {
      metadata: {
        digitalSourceType: 'http://cv.iptc.org/newscodes/digitalsourcetype/compositeSynthetic',
        system: 'Starside',
        systemVersion: '1.2.3',
        contentCredentials: true,
      },
    },
    'Digital source typecompositeSyntheticMade withStarside 1.2.3Content Credentials (C2PA)present',
  ],
])('an answer of %j is reported as %s', async (answer, sentence) => {
  await show(<VerifyDialog onClose={() => {}} />)
  choose('one.jpg')
  await questions[0]?.answer({ ...unknown, ...answer })
  expect(text()).toContain(sentence)
  expect(text().includes('after a report')).toBe('removed' in answer)
})

it('the same file can be chosen again', async () => {
  const emptied = vi.spyOn(HTMLInputElement.prototype, 'value', 'set')
  await show(<VerifyDialog onClose={() => {}} />)
  choose('one.jpg')
  expect(emptied).toHaveBeenCalledWith('')
  emptied.mockRestore()
})

it('a picture is dropped into the dialog, whose edge says that it may be', async () => {
  await show(<VerifyDialog onClose={() => {}} />)
  const edge = screen.getByText('Choose a picture').parentElement!
  const isMarked = () => /border-red/.test(edge.className)
  const dataTransfer = {
    types: ['Files'],
    files: [new File(['bytes'], 'dropped.jpg', { type: 'image/jpeg' })],
  }
  fireEvent.dragOver(edge, { dataTransfer })
  expect(isMarked()).toBe(true)
  fireEvent.drop(edge, { dataTransfer })
  expect(isMarked()).toBe(false)
  expect(text()).toContain('dropped.jpg')
  expect(screen.getByRole('status').getAttribute('aria-busy')).toBe('true')
  await questions[0]?.fail()
  expect(screen.getByRole('status').getAttribute('aria-busy')).toBe('false')
  expect(screen.queryByText('Choose a picture'), 'another one').toBeNull()
})

it.each([
  ['made_here', true],
  ['claims_to_be', false],
  ['unknown', false],
] as const)('only what was made here has a tick: %s', async (verdict, isTicked) => {
  await show(<VerifyDialog onClose={() => {}} />)
  choose('one.jpg')
  await questions[0]?.answer({ ...unknown, verdict })
  expect(screen.getByRole('dialog').querySelector('svg') !== null).toBe(isTicked)
  expect(screen.getByRole('dialog').querySelector('.border-green') !== null).toBe(isTicked)
})

it('a question is given up by the next one and by leaving', async () => {
  const signals: (AbortSignal | null | undefined)[] = []
  vi.stubGlobal('fetch', (_address: string, init: RequestInit) => {
    signals.push(init.signal)
    return new Promise(() => undefined)
  })
  const { unmount } = await show(<VerifyDialog onClose={() => {}} />)
  choose('first.jpg')
  choose('second.jpg')
  const given = () => signals.map((signal) => signal?.aborted)
  expect(given()).toEqual([true, false])
  unmount()
  expect(given()).toEqual([true, true])
})
