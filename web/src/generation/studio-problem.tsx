import { useEffect, useRef } from 'react'
import { ApiError } from '../api/call.ts'
import { useMessages, useErrorSentence } from '../ui/language.tsx'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'
import { FilmButton } from '../ui/button.tsx'
import type { Problem } from './generator-state.ts'
import { fill } from '@starside/contract/fill.ts'

/** Why no credit could be held; `isOut` where the balance is empty. */
export interface CreditProblem {
  sentence: string
  isOut: boolean
}

interface StudioProblemProps {
  problem: Problem | null
  onDismiss: () => void
  creditProblem?: CreditProblem | null
  onDismissCreditProblem?: () => void
  /** Makes a picture of the same photos once more, for another credit. */
  onRepeat: () => void
}

/** What stands in the way of the picture: the credit, else what the generation ran into. */
export function StudioProblem(props: StudioProblemProps) {
  const m = useMessages('dashboard')
  const sentenceOf = useErrorSentence()
  const { problem, creditProblem } = props
  if (creditProblem) {
    const { sentence, isOut } = creditProblem
    return (
      <ResultProblem
        key={sentence}
        title={isOut ? m.outOfCredits : m.creditFailed}
        sentence={sentence}
        offersPackages={isOut}
        onDismiss={props.onDismissCreditProblem}
      />
    )
  }
  if (!problem) return null
  // Nothing has failed: the same selfie is there, and no credit was used.
  const isNote =
    problem.kind === 'failure' &&
    problem.failure instanceof ApiError &&
    problem.failure.code === 'already_made'
  const sentence = isNote
    ? sentenceOf(problem.failure, '')
    : sentenceOfProblem(problem, m, sentenceOf)
  return (
    <ResultProblem
      key={sentence}
      title={isNote ? m.alreadyMade : m.generationError}
      sentence={sentence}
      onDismiss={props.onDismiss}
      onInsist={isNote ? props.onRepeat : undefined}
    />
  )
}

function sentenceOfProblem(
  problem: Problem,
  m: DashboardMessages,
  sentenceOf: (error: unknown, fallback: string) => string,
): string {
  if (problem.kind === 'choice') return problem.sentence
  if (problem.kind === 'verification') return m.verifyFailed
  if (problem.kind === 'interruption') return m.uploadInterrupted
  const sentence = failureText(problem.failure, m, sentenceOf)
  return problem.isCreditBack === true ? `${sentence} ${m.creditIsBack}` : sentence
}

interface ResultProblemProps {
  title: string
  sentence: string
  onDismiss: (() => void) | undefined
  /** Leads to the packages, where credits are what is missing. */
  offersPackages?: boolean
  /** Does the same all the same, where nothing is wrong: it only says why there is no new picture. */
  onInsist?: (() => void) | undefined
}

/** Why there is no picture, shown where the picture would be; it takes the focus when it comes. */
function ResultProblem(props: ResultProblemProps) {
  const m = useMessages('dashboard')
  const box = useRef<HTMLDivElement>(null)
  const isNote = props.onInsist !== undefined
  useEffect(() => {
    box.current?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className={`error-box bg-film [overflow-wrap:anywhere] ${isNote ? 'border-amber' : 'border-safelight'}`}
    >
      <p className="font-bold">{props.title}</p>
      <p className={`mt-1 ${isNote ? '' : 'text-safelight'}`}>{props.sentence}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <FilmButton onClick={props.onDismiss}>{m.dismiss}</FilmButton>
        {props.onInsist ? <FilmButton onClick={props.onInsist}>{m.makeAgain}</FilmButton> : null}
        {props.offersPackages ? (
          <a href="#packages" className="button button-film">
            {m.seePackages}
          </a>
        ) : null}
      </div>
    </div>
  )
}

/** 'Generation failed: {reason}' with the specification's fallbacks (section 8). */
export function failureText(
  failure: unknown,
  m: DashboardMessages,
  sentenceOf: (error: unknown, fallback: string) => string,
): string {
  if (!(failure instanceof ApiError)) return m.failedToGenerateSelfie
  const unnamed: Record<string, string | undefined> = {
    NO_REASON: m.aiGenerationFailed,
    NO_PICTURE: m.failedToGenerateImage,
    BAD_ANSWER: m.unknownError,
  }
  const own = unnamed[failure.code] ?? (failure.message || m.failedToGenerateImage)
  return fill(m.generationFailed, { reason: sentenceOf(failure, own) })
}
