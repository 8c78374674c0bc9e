import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdQuestions } from '../api/testing/test-answers.ts'
import { settle, show } from '../auth/testing/show.tsx'
import { LanguageProvider } from '../ui/language.tsx'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import { CreditHistory } from './credit-history.tsx'

beforeEach(() => {
  const answer = { success: true, items: [], nextCursor: null }
  vi.stubGlobal('fetch', async () => Response.json(answer))
})
afterEach(() => {
  vi.unstubAllGlobals()
})

async function textFor(language: 'en' | 'es' | 'zh', creditsOwed: number): Promise<string> {
  await loadCatalogue('dashboard', language)
  const view = await act(async () =>
    render(
      <LanguageProvider initial={language}>
        <QueryClientProvider client={new QueryClient()}>
          <CreditHistory creditsOwed={creditsOwed} />
        </QueryClientProvider>
      </LanguageProvider>,
    ),
  )
  return view.container.textContent ?? ''
}

it.each([
  ['en', 'Credits still owed after a refunded payment: 37.'],
  ['es', '37'],
  ['zh', '37'],
] as const)('the history tells in %s how many credits are owed', async (language, sentence) => {
  expect(await textFor(language, 37)).toContain(sentence)
})

it('the history of somebody who owes nothing says nothing of it', async () => {
  expect(await textFor('en', 0)).not.toContain('owed')
})

const entry = (id: string, amount: number) => ({
  id,
  at: '2026-11-22T12:00:00Z',
  amount,
  reason: 'signup',
  description: '',
  celebrity: null,
  celebrities: [],
  order: null,
})

it('the history is asked for once it is unfolded, page by page, and hides again', async () => {
  const questions = holdQuestions()
  await show(<CreditHistory creditsOwed={0} />)
  expect(questions).toEqual([])
  const fold = screen.getByRole('button', { name: /^Credit history/ })
  const entries = document.getElementById(fold.getAttribute('aria-controls') ?? '')
  expect([fold.getAttribute('aria-expanded'), entries?.hidden]).toEqual(['false', true])
  fireEvent.click(fold)
  expect([fold.getAttribute('aria-expanded'), entries?.hidden]).toEqual(['true', false])
  expect(screen.getByRole('status').textContent).toBe('Loading...')
  expect(screen.queryByText('Nothing here yet.'), 'before it is known').toBeNull()
  await questions[0]?.answer({ success: true, items: [entry('1', 1)], nextCursor: 'later' })
  await settle()
  const changes = () => [...document.querySelectorAll('td:last-child')].map((td) => td.textContent)
  await screen.findByText('+1')
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await questions[1]?.answer({ success: true, items: [entry('2', -1)], nextCursor: null })
  await settle()
  expect(changes()).toEqual(['+1', '\u22121'])
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  fireEvent.click(fold)
  expect([fold.getAttribute('aria-expanded'), entries?.hidden]).toEqual(['false', true])
})

it('an empty history says so', async () => {
  await show(<CreditHistory creditsOwed={0} />)
  await act(async () => void fireEvent.click(screen.getByRole('button')))
  await settle()
  expect(screen.getByText('Nothing here yet.')).toBeTruthy()
})
