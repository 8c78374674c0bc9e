import looks from './check-looks.json'
import hintDrawings from './hint-drawings.json'
import { useMessages, useErrorSentence, useErrorText } from '../ui/language.tsx'
import { chosenFaces, groupsOf, needsChoice, type ChosenPhoto } from './use-photo.ts'
import { ApiError } from '../api/call.ts'
import { fill } from '@starside/contract/fill.ts'
import { severalFaces, verdictOn } from './photo-fitness.ts'
import { readingOrder } from './reading-order.ts'

/** What the photo check found, under the frame; else `praise`. */
export function PhotoCheck(props: { photo: ChosenPhoto; facesMax?: number; praise?: string }) {
  const m = useMessages('dashboard')
  const { photo, facesMax = 1, praise = m.photoGood } = props
  return (
    <div role="status" className="text-[0.95rem]">
      <ul aria-label={m.photoCheck} className="grid gap-1 leading-snug">
        {useCheckLines(photo, facesMax, praise).map(({ text, kind, code = '' }) => (
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
  const { notAPicture } = useMessages('shell')
  const { check } = photo
  if (!check) return []
  if (check.state === 'checking') return [{ text: m.photoChecking, kind: 'plain' }]
  if (check.state === 'failed') {
    const isFromServer = check.error instanceof ApiError && check.error.fromServer
    const text = sentenceOf(check.error, m.photoUnchecked) || notAPicture
    return [{ text, kind: isFromServer ? 'bad' : 'plain' }]
  }
  const { answer } = check
  const { usable, hints } = verdictOn(photo, answer)
  const [refusal] = answer.refusals
  const { length: count } = answer.faces
  // Advice would distract from why the photo can't be used.
  if (!usable && refusal) {
    const areSmall = answer.faces.every(({ refusals }) => refusals[0] === 'face_too_small')
    const ofAll = count > 1 && areSmall ? fill(m.facesTooSmall, { count }) : null
    return [{ text: ofAll ?? textOf(refusal.code) ?? refusal.sentence, kind: 'bad' }]
  }
  const groups = groupsOf(answer.faces, facesMax)
  const most = Math.max(0, ...groups.map(({ length }) => length))
  const isFull = chosenFaces(photo).length >= most
  const several = most <= 1 ? m.severalFaces : isFull ? m.allFacesChosen : m.severalOwnFaces
  const picked = most <= 1 ? m.pickedFace : m.pickedOwnFace
  const chosen = needsChoice(photo) || (photo.companions && most > 1) ? several : picked
  const order = readingOrder(answer.faces)
  const found = { count, most, number: 1 + order.indexOf(photo.faceIndex ?? 0) }
  const texts: Record<string, string | undefined> = {
    ...m.hints,
    [severalFaces]: fill(groups.length === 1 ? m.onlyFace : chosen, found),
  }
  const lines = [...new Set(hints.map(({ code }) => code))].map((code): CheckLine => {
    const alike = hints.filter((hint) => hint.code === code)
    const reason = texts[code] ?? alike[0]?.sentence ?? ''
    const isOf = (index: number): boolean => alike.some(({ face }) => face === index)
    const numbers = order.flatMap((index, place) => (isOf(index) ? place + 1 : []))
    const named = numbers.length > 1 ? m.ofFaces : numbers.length === 1 ? m.ofFace : '{reason}'
    const text = fill(named, { number: numbers.join(', '), reason })
    // What only some scenes ask for leaves a photo as good as it is, and so does who is chosen of it.
    const isPlain = code === 'hard_sun' || (code === severalFaces && !needsChoice(photo))
    return { text, kind: isPlain ? 'plain' : 'hint', code }
  })
  const lacks = lines.filter(({ kind }) => kind === 'hint')
  // What would spoil the picture first: beside a result there is room for one line.
  const ordered = [...new Set([...lacks, ...lines])]
  if (lacks.some(({ code }) => code !== 'small_face')) return ordered
  return [{ text: lacks.length > 0 ? m.photoUsable : praise, kind: 'good' }, ...ordered]
}
