import { ApiError } from '../api/api-error.ts'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { useMessages } from '../ui/language.tsx'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'
import { failureText } from './failure-text.ts'
import type { Problem } from './generator-state.ts'
import { ResultProblem } from './result-problem.tsx'

/**
 * Why no credit could be set aside; `isOut` distinguishes an empty balance from everything else.
 */
export interface CreditProblem {
  sentence: string
  isOut: boolean
}

interface StudioProblemProps {
  problem: Problem | null
  onDismiss: () => void
  creditProblem: CreditProblem | null
  onDismissCreditProblem: () => void
  /** Makes a picture of the same photos once more, for another credit. */
  onRepeat: () => void
}

/** What stands in the way of the picture: the credit, else what the generation ran into. */
export function StudioProblem(props: StudioProblemProps) {
  const m = useMessages('dashboard')
  const sentenceOf = useErrorSentence()
  const { problem, creditProblem } = props
  if (creditProblem) {
    return (
      <ResultProblem
        key={creditProblem.sentence}
        title={creditProblem.isOut ? m.outOfCredits : m.creditFailed}
        sentence={creditProblem.sentence}
        offersPackages={creditProblem.isOut}
        onDismiss={props.onDismissCreditProblem}
      />
    )
  }
  if (!problem) return null
  if (problem.kind === 'failure' && isMadeAlready(problem.failure)) {
    return (
      <ResultProblem
        isNote
        title={m.alreadyMade}
        sentence={sentenceOf(problem.failure, '')}
        onDismiss={props.onDismiss}
        onInsist={props.onRepeat}
      />
    )
  }
  const sentence = sentenceOfProblem(problem, m, sentenceOf)
  return (
    <ResultProblem
      key={sentence}
      title={m.generationError}
      sentence={sentence}
      onDismiss={props.onDismiss}
    />
  )
}

/** Nothing has failed: the same selfie is there, and no credit was used. */
function isMadeAlready(failure: unknown): boolean {
  return failure instanceof ApiError && failure.code === 'already_made'
}

function sentenceOfProblem(
  problem: Problem,
  m: DashboardMessages,
  sentenceOf: (error: unknown, fallback: string) => string,
): string {
  switch (problem.kind) {
    case 'choice':
      return problem.sentence
    case 'verification':
      return m.verifyFailed
    case 'interruption':
      return m.uploadInterrupted
    case 'failure': {
      const sentence = failureText(problem.failure, m, sentenceOf)
      return problem.isCreditBack === true ? `${sentence} ${m.creditIsBack}` : sentence
    }
  }
}
