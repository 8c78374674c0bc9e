import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import { show } from '../auth/testing/show.tsx'
import { ReportDialog } from './report-dialog.tsx'

let questions: HeldQuestion[]
beforeEach(() => {
  questions = holdQuestions()
})
afterEach(() => vi.unstubAllGlobals())

const onClose = vi.fn()
const open = (reported = '') => show(<ReportDialog reported={reported} onClose={onClose} />)
const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(field(label), { target: { value } })
const send = () => fireEvent.click(screen.getByRole('button', { name: 'Send the report' }))

it.each([
  ['A'.repeat(22), `${location.origin}/?selfie=${'A'.repeat(22)}`],
  ['', ''],
  ['0a7f', '0a7f'],
])('the link of a report of %j begins as %j', async (reported, link) => {
  await open(reported)
  expect(field('Link or ID').value).toBe(link)
  expect(screen.queryByRole('presentation')).toBeNull()
})

it('the picture whose page is behind the form stands above what is said of it', async () => {
  const id = 'A'.repeat(22)
  const card = document.createElement('meta')
  card.setAttribute('property', 'og:image')
  card.content = `https://selfie.example/api/shares/${id}/card.jpg?lang=en`
  document.head.append(card)
  await open(id)
  const picture = screen.getByRole('presentation')
  expect(picture.getAttribute('src')).toBe(`/api/shares/${id}/picture.jpg`)
  card.remove()
})

it('all that was filled in is sent, and the receipt takes the place of the form', async () => {
  await open()
  type('Link or ID', 'the link')
  type('Why are you reporting it?', 'minor')
  type('Details (optional)', 'some details')
  type(/^How can we reach you/, 'me@example.test')
  type('For whom do you report it?', 'somebody_else')
  type('Your full name, as your signature', 'Ada Example')
  fireEvent.click(screen.getByRole('checkbox'))
  send()
  const report = {
    link: 'the link',
    reason: 'minor',
    details: 'some details',
    contact: 'me@example.test',
    behalf: 'somebody_else',
    signature: 'Ada Example',
    goodFaith: true,
  }
  expect(questions[0]?.body).toEqual(report)
  await questions[0]?.fail()
  expect(screen.getByRole('alert').textContent).toBe('Something went wrong. Please try again.')
  expect(field('Link or ID').value).toBe('the link')
  send()
  expect(questions[1]?.body).toEqual(report)
  await questions[1]?.answer(
    {
      success: true,
      reportId: 'report-7',
      dueAt: '2026-11-24T12:00:00Z',
    },
    201,
  )
  const receipt = screen.getByRole('status').textContent
  expect(receipt).toMatch(/You'll hear from us by Nov 24, 2026, 4:00.AM PST.*Reference: report-7/)
  expect(screen.queryByRole('textbox')).toBeNull()
  const close = screen.getByRole('button', { name: 'Close' })
  expect(document.activeElement).toBe(close)
  fireEvent.click(close)
  expect(onClose).toHaveBeenCalledOnce()
})

it('whoever does not confirm their good faith has not confirmed it', async () => {
  await open()
  type('Link or ID', 'the link')
  send()
  expect(questions[0]?.body).toMatchObject({ link: 'the link', goodFaith: false })
})
