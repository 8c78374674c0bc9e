import type { InspectAnswer } from '@starside/contract/generation.ts'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { fill } from '../ui/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { peekCatalogue } from '../ui/messages/catalogues.ts'
import { useLanguage } from '../ui/language.tsx'
import type { DashboardMessages } from '../ui/messages/dashboard.en.ts'
import { ApiError } from '../api/api-error.ts'
import { type FaceHint, verdictOn } from './photo-fitness.ts'
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
  const sentenceOf = useErrorSentence()
  const { check } = photo
  const lines: { text: string; kind: 'good' | 'hint' | 'bad' | 'plain' }[] = []
  if (check?.state === 'checking') lines.push({ text: m.photoChecking, kind: 'plain' })
  if (check?.state === 'failed') {
    const isFromServer = check.error instanceof ApiError && check.error.fromServer
    lines.push({
      text: sentenceOf(check.error, m.photoUnchecked),
      kind: isFromServer ? 'bad' : 'plain',
    })
  }
  if (check?.state === 'answered') {
    const { answer } = check
    const table: Record<string, string | undefined> = peekCatalogue('errors', language) ?? {}
    const { usable, hints } = verdictOn(photo, answer)
    for (const refusal of usable ? [] : answer.refusals) {
      lines.push({ text: table[refusal.code] ?? refusal.sentence, kind: 'bad' })
    }
    for (const [index, face] of answer.faces.entries()) {
      // Of a single face the refusal stands above already.
      const reason = answer.faces.length > 1 ? refusalOf(face, table) : null
      if (reason !== null) {
        lines.push({ text: fill(m.ofFace, { number: index + 1, reason }), kind: 'hint' })
      }
    }
    for (const hint of hints) {
      const reason = hintText(hint, m, { answer, facesMax })
      const { face } = hint
      const text = face === undefined ? reason : fill(m.ofFace, { number: face + 1, reason })
      lines.push({ text, kind: 'hint' })
    }
    if (lines.length === 0) lines.push({ text: praise, kind: 'good' })
  }
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
            {line.text}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Why a face can't be in the picture, in the reader's language; null where it can. */
function refusalOf(
  { refusals: [code], reason }: InspectAnswer['faces'][number],
  table: Record<string, string | undefined>,
): string | null {
  return code === undefined ? null : (table[code] ?? reason ?? null)
}

function hintText(
  hint: FaceHint,
  m: DashboardMessages,
  { answer, facesMax }: { answer: InspectAnswer; facesMax: number },
): string {
  switch (hint.code) {
    case 'several_faces':
      return fill(facesMax > 1 ? m.severalOwnFaces : m.severalFaces, {
        count: answer.faces.length,
        most: facesMax,
      })
    case 'soft':
      return m.hintSoft
    case 'dark':
      return m.hintDark
    case 'tight_crop':
      return m.hintTightCrop
    case 'turned':
      return m.hintTurned
    case 'small_face':
      return m.hintSmallFace
    case 'eyes_closed':
      return m.hintEyesClosed
    case 'hair_cut':
      return m.hintHairCut
    default:
      return hint.sentence
  }
}
