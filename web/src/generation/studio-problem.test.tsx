import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ApiError } from '../api/call.ts'
import { LanguageProvider } from '../ui/language.tsx'
import { StudioProblem } from './studio-problem.tsx'

const answered = (code: string, sentence: string) => new ApiError(sentence, 409, code, true)

const problemOf = (failure: ApiError) => (
  <LanguageProvider initial="en">
    <StudioProblem
      problem={{ kind: 'failure', failure }}
      onDismiss={() => undefined}
      creditProblem={null}
      onDismissCreditProblem={() => undefined}
      onRepeat={() => undefined}
    />
  </LanguageProvider>
)
const showFailure = (failure: ApiError) => render(problemOf(failure))

test('each new problem takes the focus', () => {
  const { rerender } = showFailure(answered('internal', 'Boom'))
  const alert = () => screen.getByRole('alert')
  expect(document.activeElement).toBe(alert())
  alert().blur()
  rerender(problemOf(answered('internal', 'Bang')))
  expect(document.activeElement).toBe(alert())
})

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

test.each([
  ['an empty balance', true, "You're out of credits"],
  ['anything else', false, 'Your credit could not be used'],
])(
  'of a credit that could not be used the title says whether it was for %s',
  (_why, isOut, title) => {
    render(
      <LanguageProvider initial="en">
        <StudioProblem
          problem={null}
          onDismiss={() => undefined}
          creditProblem={{ sentence: 'No.', isOut }}
          onDismissCreditProblem={() => undefined}
          onRepeat={() => undefined}
        />
      </LanguageProvider>,
    )
    expect(screen.getByText(title)).toBeTruthy()
    expect(screen.getByText('No.')).toBeTruthy()
    expect(screen.queryByText('Get more credits') !== null).toBe(isOut)
  },
)

test('people who do not fit are offered the widest format, unless it is chosen already', () => {
  const failure = answered('people_too_far_apart', 'Too far apart.')
  const onFormat = vi.fn()
  const shown = (isOffered: boolean) => (
    <LanguageProvider initial="en">
      <StudioProblem
        problem={{ kind: 'failure', failure }}
        onDismiss={() => undefined}
        onRepeat={() => undefined}
        onFormat={isOffered ? onFormat : undefined}
      />
    </LanguageProvider>
  )
  const { rerender } = render(shown(true))
  screen.getByRole('button', { name: 'Use 16:9' }).click()
  expect(onFormat).toHaveBeenCalledWith('16:9')
  rerender(shown(false))
  expect(screen.queryByRole('button', { name: 'Use 16:9' })).toBeNull()
})
