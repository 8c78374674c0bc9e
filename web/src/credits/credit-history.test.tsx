import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
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
