import type { InspectAnswer } from '@starside/contract/generation.ts'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { fill } from '../ui/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { peekCatalogue } from '../ui/messages/catalogues.ts'
import { useLanguage } from '../ui/language.tsx'
import type { DashboardMessages } from '../ui/messages/dashboard.en.ts'
import { ApiError } from '../api/api-error.ts'
import { groupFindings, numbersText, type Finding } from './group-findings.ts'
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
    const findings: Finding[] = []
    for (const [face, { refusals, reason }] of answer.faces.entries()) {
      // Of a single face the refusal stands above already.
      const text = answer.faces.length > 1 ? refusalOf({ refusals, reason }, table) : null
      if (text !== null) findings.push({ face, text })
    }
    const isAnyUsable = answer.faces.some(({ refusals }) => refusals.length === 0)
    for (const hint of hints) {
      // Nobody is to be chosen where nobody can be.
      if (hint.code === 'several_faces' && !isAnyUsable) continue
      findings.push({ face: hint.face, text: hintText(hint, m, { answer, facesMax }) })
    }
    const refusals = (usable ? [] : answer.refusals).map(
      ({ code, sentence }) => table[code] ?? sentence,
    )
    const groups = groupFindings(findings)
    // What is said of faces by their numbers needs no sentence of its own.
    for (const text of refusals) {
      if (groups.every((group) => group.text !== text)) lines.push({ text, kind: 'bad' })
    }
    for (const { faces, text } of groups) {
      lines.push({ text: ofFaces(faces, text, m), kind: refusals.includes(text) ? 'bad' : 'hint' })
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
  { refusals: [code], reason }: Pick<InspectAnswer['faces'][number], 'refusals' | 'reason'>,
  table: Record<string, string | undefined>,
): string | null {
  return code === undefined ? null : (table[code] ?? reason ?? null)
}

/** A finding with the numbers of the faces that it is about, where the photo has several. */
function ofFaces(faces: readonly number[], reason: string, m: DashboardMessages): string {
  const [first, second] = faces
  if (first === undefined) return reason
  if (second === undefined) return fill(m.ofFace, { number: first + 1, reason })
  return fill(m.ofFaces, { numbers: numbersText(faces), reason })
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
