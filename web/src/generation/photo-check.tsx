import type { InspectAnswer } from '@starside/contract/generation.ts'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { fill } from '../ui/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { peekCatalogue } from '../ui/messages/catalogues.ts'
import { useLanguage } from '../ui/language.tsx'
import type { DashboardMessages } from '../ui/messages/dashboard.en.ts'
import { ApiError } from '../api/api-error.ts'
import { ownFacesMax } from './toggle-face.ts'
import type { ChosenPhoto } from './use-photo.ts'

/**
 * What the photo check found, as a few lines under the frame.
 * @param takesCompany whether several faces of the photo may be chosen
 */
export function PhotoCheck({
  photo,
  takesCompany = false,
}: {
  photo: ChosenPhoto
  takesCompany?: boolean
}) {
  const m = useMessages('dashboard')
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
    for (const refusal of answer.refusals) {
      lines.push({ text: table[refusal.code] ?? refusal.sentence, kind: 'bad' })
    }
    for (const hint of answer.hints) {
      lines.push({ text: hintText(hint, m, { answer, takesCompany }), kind: 'hint' })
    }
    if (lines.length === 0) lines.push({ text: m.photoGood, kind: 'good' })
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

function hintText(
  hint: { code: string; sentence: string },
  m: DashboardMessages,
  { answer, takesCompany }: { answer: InspectAnswer; takesCompany: boolean },
): string {
  switch (hint.code) {
    case 'several_faces':
      return fill(takesCompany ? m.severalOwnFaces : m.severalFaces, {
        count: answer.faces.length,
        most: ownFacesMax,
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
