import { render, screen } from '@testing-library/react'
import messages from '@starside/contract/texts/en/dashboard.json'
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
  ['an empty balance', true, false, "You're out of credits"],
  ['want of a connection', false, true, 'No connection'],
  ['anything else', false, false, 'Your credit could not be used'],
])(
  'of a credit that could not be used the title says whether it was for %s',
  (_why, isOut, isOffline, title) => {
    render(
      <LanguageProvider initial="en">
        <StudioProblem
          problem={null}
          onDismiss={() => undefined}
          creditProblem={{ sentence: 'No.', isOut, isOffline }}
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

test.each([
  ['a choice', { kind: 'choice', sentence: 'Choose a star.' }, /Choose a star\./],
  ['credits that could not be checked', { kind: 'verification' }, messages.verifyFailed],
  ['an upload that leaving broke off', { kind: 'interruption' }, messages.uploadInterrupted],
  [
    'an upload that broke off and whose credit is back',
    { kind: 'failure', failure: answered('internal', 'Boom'), isCreditBack: true },
    `Generation failed: Boom ${messages.creditIsBack}`,
  ],
] as const)('of %s the sentence is its own, and it can be put away', (_what, problem, sentence) => {
  const onDismiss = vi.fn()
  render(
    <LanguageProvider initial="en">
      <StudioProblem {...{ problem, onDismiss }} onRepeat={() => undefined} />
    </LanguageProvider>,
  )
  expect(screen.getByText(sentence)).toBeTruthy()
  expect(screen.getAllByRole('button')).toHaveLength(1)
  screen.getByRole('button', { name: messages.dismiss }).click()
  expect(onDismiss).toHaveBeenCalledTimes(1)
})

test('a credit’s problem leads to the packages, and is put away by itself', () => {
  const [onDismiss, onDismissCreditProblem] = [vi.fn(), vi.fn()]
  const creditProblem = { sentence: 'None left.', isOut: true }
  const problem = { kind: 'verification' } as const
  render(
    <LanguageProvider initial="en">
      <StudioProblem
        {...{ problem, creditProblem, onDismiss, onDismissCreditProblem }}
        onRepeat={() => undefined}
      />
    </LanguageProvider>,
  )
  expect(screen.getByRole('link').getAttribute('href')).toBe('#packages')
  screen.getByRole('button', { name: messages.dismiss }).click()
  expect([onDismiss, onDismissCreditProblem].map(({ mock }) => mock.calls.length)).toEqual([0, 1])
})
