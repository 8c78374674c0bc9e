import { useEffect, useRef, type ReactNode } from 'react'
import { ApiError } from '../api/call.ts'
import { useMessages, useErrorSentence } from '../ui/language.tsx'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'
import { FilmButton } from '../ui/button.tsx'
import type { Problem } from './generator-state.ts'
import { fill } from '@starside/contract/fill.ts'

/** Why no credit could be held; `isOut` where the balance is empty, `isOffline` where no server was reached. */
export type CreditProblem = { sentence: string; isOut: boolean; isOffline?: boolean }

export interface StudioProblemProps {
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
    const { sentence, isOut, isOffline } = creditProblem
    return (
      <ResultProblem
        key={sentence}
        title={isOut ? m.outOfCredits : isOffline ? m.noConnection : m.creditFailed}
        sentence={sentence}
        onDismiss={props.onDismissCreditProblem}
      >
        {isOut ? (
          <a href="#packages" className="button button-film">
            {m.seePackages}
          </a>
        ) : null}
      </ResultProblem>
    )
  }
  if (!problem) return null
  const failure = problem.kind === 'failure' ? problem.failure : null
  // Nothing has failed: the same selfie is there, and no credit was used.
  const isNote = failure instanceof ApiError && failure.code === 'already_made'
  const sentence = isNote ? sentenceOf(failure, '') : sentenceOfProblem(problem, m, sentenceOf)
  return (
    <ResultProblem
      key={sentence}
      title={isNote ? m.alreadyMade : m.generationError}
      sentence={sentence}
      isNote={isNote}
      onDismiss={props.onDismiss}
    >
      {isNote ? <FilmButton onClick={props.onRepeat}>{m.makeAgain}</FilmButton> : null}
    </ResultProblem>
  )
}

type Sentences = ReturnType<typeof useErrorSentence>

function sentenceOfProblem(problem: Problem, m: DashboardMessages, sentenceOf: Sentences): string {
  if (problem.kind === 'choice') return problem.sentence
  if (problem.kind === 'verification') return m.verifyFailed
  if (problem.kind === 'interruption') return m.uploadInterrupted
  const sentence = failureText(problem.failure, m, sentenceOf)
  return problem.isCreditBack === true ? `${sentence} ${m.creditIsBack}` : sentence
}

interface ResultProblemProps {
  title: string
  sentence: string
  /** Whether nothing is wrong: it only says why there is no new picture. */
  isNote?: boolean
  onDismiss: (() => void) | undefined
  /** What mends it. */
  children: ReactNode
}

/** Why there is no picture, shown where the picture would be; it takes the focus when it comes. */
function ResultProblem(props: ResultProblemProps) {
  const m = useMessages('dashboard')
  const { isNote = false } = props
  const box = useRef<HTMLDivElement>(null)
  // Only once the sheet has given the focus back.
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
        {props.children}
      </div>
    </div>
  )
}

/** 'Generation failed: {reason}' with the specification's fallbacks (section 8). */
export function failureText(failure: unknown, m: DashboardMessages, sentenceOf: Sentences): string {
  if (!(failure instanceof ApiError)) return m.failedToGenerateSelfie
  const unnamed: Record<string, string | undefined> = {
    NO_REASON: m.aiGenerationFailed,
    NO_PICTURE: m.failedToGenerateImage,
    BAD_ANSWER: m.unknownError,
  }
  const own = unnamed[failure.code] ?? (failure.message || m.failedToGenerateImage)
  return fill(m.generationFailed, { reason: sentenceOf(failure, own) })
}
