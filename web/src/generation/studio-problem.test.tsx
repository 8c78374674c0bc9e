import { render, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import { LanguageProvider } from '../ui/language.tsx'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import { StudioProblem } from './studio-problem.tsx'

beforeEach(async () => {
  await Promise.all([loadCatalogue('dashboard', 'en'), loadCatalogue('errors', 'en')])
})

const answered = (code: string, sentence: string) =>
  new ApiError(sentence, { status: 409, code, fromServer: true })

const showFailure = (failure: ApiError) =>
  render(
    <LanguageProvider initial="en">
      <StudioProblem
        problem={{ kind: 'failure', failure }}
        onDismiss={() => undefined}
        creditProblem={null}
        onDismissCreditProblem={() => undefined}
        onRepeat={() => undefined}
      />
    </LanguageProvider>,
  )

test('a selfie that is there already is no error: nothing is said to have failed', () => {
  showFailure(answered('already_made', 'You already made this selfie.'))
  const told = screen.getByRole('alert').textContent
  expect(told).toContain('You already made this selfie.')
  expect(told).not.toMatch(/error|failed/iu)
})

test('a selfie that failed is a generation error', () => {
  showFailure(answered('internal', 'Boom'))
  expect(screen.getByText('Generation Error')).toBeTruthy()
  expect(screen.getByText('Generation failed: Boom')).toBeTruthy()
})
