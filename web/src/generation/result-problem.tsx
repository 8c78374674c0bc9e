import { useEffect, useRef } from 'react'
import { useMessages } from '../ui/language.tsx'
import { FilmButton } from './film-button.tsx'

interface ResultProblemProps {
  title: string
  sentence: string
  /** Nothing is wrong: it only says why there is no new picture. */
  isNote?: boolean
  onDismiss: () => void
  /** Leads to the packages, where credits are what is missing. */
  offersPackages?: boolean
  /** Does the same all the same, where that may be wanted. */
  onInsist?: (() => void) | undefined
}

/** Why there is no picture, shown where the picture would be; it takes the focus when it comes. */
export function ResultProblem(props: ResultProblemProps) {
  const m = useMessages('dashboard')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className={`error-box bg-film [overflow-wrap:anywhere] ${props.isNote ? 'border-amber' : 'border-safelight'}`}
    >
      <p className="font-bold">{props.title}</p>
      <p className={`mt-1 ${props.isNote ? '' : 'text-safelight'}`}>{props.sentence}</p>
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
