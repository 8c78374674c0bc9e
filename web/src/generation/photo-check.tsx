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
  const marks = { good: '+', hint: '!', bad: 'x', plain: '·' }
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

/** A head with its shoulders, and what to do with it, in a frame of 40 by 40. */
const drawings: Record<string, string | undefined> = {
  tight_crop: 'M14 15a6 7 0 1 0 12 0a6 7 0 1 0-12 0M5 37c1-9 8-12 15-12s14 3 15 12',
  small_face: 'M9 19a11 13 0 1 0 22 0a11 13 0 1 0-22 0M7 7l-4-4m30 4l4-4M7 33l-4 4m30-4l4 4',
  turned: 'M10 19a10 12 0 1 0 20 0a10 12 0 1 0-20 0M16 17v1m8-1v1m-4 1v4m-4 4c2 2 6 2 8 0',
  bright_background:
    'M14 17a6 7 0 1 0 12 0a6 7 0 1 0-12 0M6 37c1-8 7-11 14-11s13 3 14 11M4 12l8-8M4 20L20 4m4 0h-1M30 6l6-6M32 14l6-6M4 28l7-7',
  eyes_closed: 'M4 20c8-11 24-11 32 0c-8 11-24 11-32 0M15 20a5 5 0 1 0 10 0a5 5 0 1 0-10 0',
  hair_cut:
    'M12 21a8 10 0 1 0 16 0a8 10 0 1 0-16 0M11 19c0-14 18-14 18 0M20 3v3m-9-1l2 2m16-2l-2 2',
}

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
