import hintDrawings from './hint-drawings.json'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { peekCatalogue } from '../ui/messages/catalogues.ts'
import { checkLines } from './check-lines.ts'
import type { ChosenPhoto } from './use-photo.ts'

/**
 * What the photo check found, as a few lines under the frame.
 * @param facesMax how many faces of the photo may be chosen
 * @param praise said where nothing was found; by default what is said of a person's photo
 */
export function PhotoCheck(props: { photo: ChosenPhoto; facesMax?: number; praise?: string }) {
  const m = useMessages('dashboard')
  const { photo, facesMax = 1, praise = m.photoGood } = props
  const { language } = useLanguage()
  const errors: Record<string, string | undefined> = peekCatalogue('errors', language) ?? {}
  const sentenceOf = useErrorSentence()
  const lines = checkLines(photo, facesMax, { m, errors, sentenceOf, praise })
  const marks = { good: '✓', hint: '!', bad: '×', plain: '·' }
  const colours = {
    good: 'text-[#6fd3a8]',
    hint: 'text-amber',
    bad: 'text-safelight',
    plain: 'text-ash',
  }
  return (
    <div role="status">
      <ul aria-label={m.photoCheck} className="grid gap-1 text-[0.95rem] leading-snug">
        {lines.map((line) => (
          <li key={line.text} className={`flex gap-2 ${colours[line.kind]}`}>
            <span aria-hidden="true" className="font-mono">
              {marks[line.kind]}
            </span>
            <span className="flex-1">{line.text}</span>
            <HintDrawing code={line.code} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Paths by hint: a head with its shoulders, and what to do with it, in a frame of 40 by 40. */
const drawings: Record<string, string | undefined> = hintDrawings

/** What to do about a hint, as a small drawing beside its sentence; nothing for one without. Decorative. */
function HintDrawing({ code }: { code: string | undefined }) {
  const path = code === undefined ? undefined : drawings[code]
  if (path === undefined) return null
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 40 40"
      className="size-10 shrink-0 border border-current"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
    >
      <path d={path} />
    </svg>
  )
}
