import hintDrawings from './hint-drawings.json'
import { useMessages, useErrorSentence, useErrorText } from '../ui/language.tsx'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'
import type { ChosenPhoto } from './use-photo.ts'
import type { InspectAnswer } from '@starside/contract/generation.ts'
import { ApiError } from '../api/call.ts'
import { fill } from '@starside/contract/fill.ts'
import { verdictOn } from './photo-fitness.ts'

/** What the photo check found, as a few lines under the frame; `praise` where that is nothing. */
export function PhotoCheck(props: { photo: ChosenPhoto; facesMax?: number; praise?: string }) {
  const m = useMessages('dashboard')
  const { photo, facesMax = 1, praise = m.photoGood } = props
  const lines = useCheckLines(photo, facesMax, praise)
  return (
    <div role="status">
      <ul aria-label={m.photoCheck} className="grid gap-1 text-[0.95rem] leading-snug">
        {lines.map(({ text, kind, code = '' }) => (
          <li key={text} className={`flex gap-2 ${looks[kind].colour}`}>
            <span aria-hidden="true" className="font-mono">
              {looks[kind].mark}
            </span>
            <span className="flex-1">
              {drawings[code] ? (
                <svg aria-hidden="true" viewBox="0 0 40 40" className="hint-drawing">
                  <path d={drawings[code]} />
                </svg>
              ) : null}
              {text}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const looks = {
  good: { mark: '✓', colour: 'text-[#6fd3a8]' },
  hint: { mark: '!', colour: 'text-amber' },
  bad: { mark: '×', colour: 'text-safelight' },
  plain: { mark: '·', colour: 'text-ash' },
}

/** What to do about a hint, beside its sentence: paths in a frame of 40 by 40. */
const drawings: Record<string, string | undefined> = hintDrawings

/** What is said of a photo, and whether it is praise, advice, a refusal or neither. */
interface CheckLine {
  text: string
  kind: keyof typeof looks
  /** Which hint it is, to be drawn. */
  code?: string | undefined
}

function useCheckLines(photo: ChosenPhoto, facesMax: number, praise: string): CheckLine[] {
  const m = useMessages('dashboard')
  const textOf = useErrorText()
  const sentenceOf = useErrorSentence()
  const { check } = photo
  if (!check) return []
  switch (check.state) {
    case 'checking':
      return [{ text: m.photoChecking, kind: 'plain' }]
    case 'failed': {
      const isFromServer = check.error instanceof ApiError && check.error.fromServer
      const text = sentenceOf(check.error, m.photoUnchecked)
      return [{ text, kind: isFromServer ? 'bad' : 'plain' }]
    }
    case 'answered': {
      const lines = verdictLines(photo, check.answer, facesMax, m, textOf)
      const isFine = lines.every(({ kind }) => kind === 'plain')
      return isFine ? [{ text: praise, kind: 'good' }, ...lines] : lines
    }
  }
}

function verdictLines(
  photo: ChosenPhoto,
  answer: InspectAnswer,
  facesMax: number,
  m: DashboardMessages,
  textOf: ReturnType<typeof useErrorText>,
): CheckLine[] {
  const { usable, hints } = verdictOn(photo, answer)
  const findings: Finding[] = []
  const isAnyUsable = answer.faces.some(({ refusals }) => refusals.length === 0)
  const several = facesMax > 1 ? m.severalOwnFaces : m.severalFaces
  const texts: Record<string, string | undefined> = {
    ...m.hints,
    several_faces: fill(several, { count: answer.faces.length, most: facesMax }),
  }
  for (const { face, code, sentence } of hints) {
    // Nobody is to be chosen where nobody can be.
    if (code === 'several_faces' && !isAnyUsable) continue
    findings.push({ face, text: texts[code] ?? sentence, code })
  }
  for (const [face, verdict] of answer.faces.entries()) {
    const [code] = verdict.refusals
    // Of a single face the refusal stands above already.
    const isTold = answer.faces.length > 1 && code !== undefined
    const text = isTold ? (textOf(code) ?? verdict.reason ?? null) : null
    if (text !== null) findings.push({ face, text, code })
  }
  const refusals = (usable ? [] : answer.refusals).map(
    ({ code, sentence }) => textOf(code) ?? sentence,
  )
  const groups = groupFindings(findings)
  // What is said of faces by their numbers needs no sentence of its own.
  const unnumbered = refusals.filter((text) => groups.every((group) => group.text !== text))
  return [
    ...unnumbered.map((text): CheckLine => ({ text, kind: 'bad' })),
    ...groups.map(({ faces, text, code }): CheckLine => ({
      text:
        code === 'face_too_small' && isAnyUsable && faces.length > 1
          ? fill(m.facesTooSmall, { numbers: numbersText(faces) })
          : ofFaces(faces, text, m),
      // What only some scenes ask for leaves a photo as good as it is.
      kind: refusals.includes(text) ? 'bad' : code === 'hard_sun' ? 'plain' : 'hint',
      code,
    })),
  ]
}

function ofFaces(faces: readonly number[], reason: string, m: DashboardMessages): string {
  const [first, second] = faces
  if (first === undefined) return reason
  if (second === undefined) return fill(m.ofFace, { number: first + 1, reason })
  return fill(m.ofFaces, { numbers: numbersText(faces), reason })
}

/** Something that the photo check says of one face, by its place among several, or of the whole photo. */
interface Finding {
  face: number | undefined
  text: string
  code?: string | undefined
}

/** The same said of several faces, in ascending order; of none for the whole photo. */
export interface GroupedFinding extends Omit<Finding, 'face'> {
  faces: number[]
}

/** Says what is found of several faces once, where it is found first. */
export function groupFindings(findings: readonly Finding[]): GroupedFinding[] {
  const byText = new Map<string, { faces: Set<number>; code?: string | undefined }>()
  for (const { face, text, code } of findings) {
    const found = byText.get(text) ?? { faces: new Set(), code }
    if (face !== undefined) found.faces.add(face)
    byText.set(text, found)
  }
  return Array.from(byText, ([text, { faces, code }]) => ({
    text,
    code,
    faces: [...faces].toSorted((one, other) => one - other),
  }))
}

/** The numbers of faces from 1, as `2, 4–7, 9`, of their ascending indices from 0. */
export function numbersText(faces: readonly number[]): string {
  const runs: { from: number; to: number }[] = []
  for (const face of faces) {
    const last = runs.at(-1)
    if (last?.to === face - 1) last.to = face
    else runs.push({ from: face, to: face })
  }
  const rangeMin = 3
  return runs
    .flatMap(({ from, to }) => {
      const count = to - from + 1
      if (count >= rangeMin) return `${from + 1}–${to + 1}`
      return Array.from({ length: count }, (_, n) => String(from + n + 1))
    })
    .join(', ')
}
