import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import { Sessions } from './account-page.tsx'
import { settle, show } from './testing/show.tsx'

let questions: HeldQuestion[]
beforeEach(() => {
  questions = holdQuestions()
})
afterEach(() => vi.unstubAllGlobals())

const session = {
  id: 'here',
  createdAt: '2026-11-20T08:00:00Z',
  expiresAt: '2026-12-20T08:00:00Z',
  address: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  isCurrent: true,
}
const other = { ...session, id: 'there', address: '198.51.100.9', userAgent: '', isCurrent: false }
const list = { success: true, sessions: [session, other] }
const answer = async (index: number, json: object) => {
  await questions[index]?.answer(json)
  await settle()
}
const rows = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)
const press = (name: string | RegExp) =>
  act(async () => void fireEvent.click(screen.getByRole('button', { name })))

it('lists each place with its device and day, and says which one this is', async () => {
  await show(<Sessions />)
  expect(screen.getByRole('status').textContent).toBe('Loading the list...')
  await answer(0, list)
  expect(screen.queryByText('Loading the list...')).toBeNull()
  const [here, there] = rows()
  expect(here).toMatch(/^Firefox, Linuxthis devicesigned in .*2026.*(?<!session)$/)
  expect(there).toMatch(/^Unknown devicesigned in .*2026.*End this session$/)
})

it('ends another session and lists anew', async () => {
  await show(<Sessions />)
  await answer(0, list)
  await press(/^End this session/)
  expect(questions[1]).toMatchObject({
    address: '/api/auth?action=end-session',
    body: { sessionId: 'there' },
  })
  await answer(1, { success: true })
  expect(questions[2]?.address).toBe('/api/auth?action=sessions')
  await answer(2, { ...list, sessions: [session] })
  expect(rows()).toHaveLength(1)
})

it('says when the list or an act fails, and asks anew when told to', async () => {
  await show(<Sessions />)
  await questions[0]?.fail()
  await settle()
  expect(screen.getByText(/The list could not be loaded\./)).toBeTruthy()
  await press('Try again')
  await answer(1, list)
  expect(rows()).toHaveLength(2)
  await press('Sign out everywhere')
  await questions[2]?.fail()
  expect(screen.getByText('Something went wrong. Please try again.')).toBeTruthy()
})

it('signs out here too once all sessions are ended', async () => {
  const logout = vi.fn()
  await show(<Sessions />, { auth: { logout } })
  await answer(0, list)
  await press('Sign out everywhere')
  expect(questions[1]?.address).toBe('/api/auth?action=logout-everywhere')
  expect(logout).not.toHaveBeenCalled()
  await questions[1]?.answer({ success: true })
  expect(logout).toHaveBeenCalledOnce()
})
