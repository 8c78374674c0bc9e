import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { useEffect } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { legalDataId } from '@starside/contract/legal-pages.ts'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import { show } from '../auth/testing/show.tsx'
import { useLanguage } from '../ui/language.tsx'
import { PrivacyPage, TermsPage } from './legal-page.tsx'
import { NewTerms } from './new-terms.tsx'

let questions: HeldQuestion[]
beforeEach(() => {
  questions = holdQuestions()
})
afterEach(() => vi.unstubAllGlobals())
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

it('new terms are agreed to by the version that was shown, and then no longer asked for', async () => {
  const { updates } = await show(<NewTerms version="2026-11-22.7" />)
  press('I agree')
  expect(questions[0]).toMatchObject({
    address: '/api/user?action=accept-terms',
    body: { version: '2026-11-22.7' },
  })
  await questions[0]?.fail()
  expect(screen.getByRole('alert').textContent).toBe('That could not be saved. Please try again.')
  expect(updates).toEqual([])
  press('I agree')
  await questions[1]?.answer({ success: true })
  expect(updates).toEqual([{ termsToAccept: null }])
})

it('new terms can be put off, and nothing is sent', async () => {
  await show(<NewTerms version="2026-11-22.7" />)
  expect(screen.getByText('Read the terms').getAttribute('href')).toBe('/terms')
  press('Later')
  expect([screen.queryByRole('dialog'), questions.length]).toEqual([null, 0])
})

const asked = (page: string) =>
  questions.find(({ address }) => address === `/api/legal/${page}?language=en`)
const text = (page: string, words: string) => ({
  success: true,
  page,
  language: 'en',
  version: '1',
  updatedAt: null,
  blocks: [{ tag: 'p', children: [words] }],
})

it('a legal page says that it loads, and shows its own text', async () => {
  const { again } = await show(<TermsPage />)
  expect(screen.getByText('Loading the text...').getAttribute('role')).toBe('status')
  await asked('terms')?.answer(text('terms', 'Be kind.'))
  expect(document.querySelector('[data-legal-text]')?.textContent).toBe('Be kind.')
  await again(<PrivacyPage />)
  expect(document.body.textContent).not.toContain('Be kind.')
  expect(asked('privacy')).toBeDefined()
})

it('a link of a legal page tells its target nothing of the window it came from', async () => {
  await show(<TermsPage />)
  const link = { tag: 'a', href: 'https://law.example', children: ['the law'] }
  await asked('terms')?.answer({ ...text('terms', ''), blocks: [link, { tag: 'p', children: [] }] })
  const written = document.querySelector('[data-legal-text]')?.innerHTML
  expect(written).toBe('<a href="https://law.example" rel="noopener">the law</a><p></p>')
})

it('a legal page that can’t be loaded says so', async () => {
  await show(<TermsPage />)
  await asked('terms')?.fail()
  expect(screen.getByRole('alert').textContent).toMatch(/could not be loaded/)
  expect(screen.queryByText('Loading the text...')).toBeNull()
})

/** Shows the terms; the function that comes back chooses the page's language. */
async function showTerms() {
  let setLanguage: ReturnType<typeof useLanguage>['setLanguage'] | undefined
  function Picker() {
    const current = useLanguage()
    useEffect(() => {
      ;({ setLanguage } = current)
    })
    return <TermsPage />
  }
  await show(<Picker />)
  return (language: 'es') => act(() => setLanguage?.(language))
}

it('a text that was given up for another language says nothing of its failure', async () => {
  const choose = await showTerms()
  const given = asked('terms')
  await choose('es')
  await given?.fail()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(questions.at(-1)?.address).toBe('/api/legal/terms?language=es')
  localStorage.clear()
})

it('a text of one language is not shown in another', async () => {
  const choose = await showTerms()
  await asked('terms')?.answer(text('terms', 'Be kind.'))
  expect(screen.getByText('Be kind.')).toBeTruthy()
  await choose('es')
  expect(screen.queryByText('Be kind.')).toBeNull()
  localStorage.clear()
})

it('a text that the server wrote for another page is not taken for this one', async () => {
  const data = document.body.appendChild(document.createElement('script'))
  Object.assign(data, { type: 'application/json', id: legalDataId })
  data.textContent = JSON.stringify(text('terms', 'Be kind.'))
  await show(<PrivacyPage />)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Privacy')
  expect(screen.queryByText('Be kind.')).toBeNull()
  expect(asked('privacy')).toBeDefined()
  cleanup()
  questions.length = 0
  await show(<TermsPage />)
  expect(screen.getByText('Be kind.')).toBeTruthy()
  expect(asked('terms')).toBeUndefined()
})

it('a legal page that can’t be loaded is loaded anew at a press', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined)
  await show(<TermsPage />)
  await asked('terms')?.fail()
  press('Reload the page')
  expect(reload).toHaveBeenCalledOnce()
  reload.mockRestore()
})
