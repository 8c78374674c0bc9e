import type { FormatRefusal, InspectAnswer } from '@starside/contract/generation.ts'
import type { SelfieAspect } from '@starside/contract/scenes.ts'
import { ApiError } from '../api/call.ts'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'
import type { ChosenStar, StudioChoices } from './gather-request.ts'
import { chosenFaces, needsChoice, type ChosenPhoto } from './use-photo.ts'
import { greyHintsOf, type GreyHint } from '@starside/contract/arrangement-limits.ts'
import { headsMax } from '@starside/contract/limits.ts'
import { fill } from '@starside/contract/fill.ts'
import placesOfNeeds from './places-of-needs.json'

/** Whether a photo is fit for a selfie; a check that could not be made stands in nobody's way. */
export type Fitness = 'missing' | 'checking' | 'unchosen' | 'unfit' | 'fit'

export function fitnessOf(photo: ChosenPhoto | null): Fitness {
  if (!photo) return 'missing'
  const { prepared, check } = photo
  if (!prepared || !check || check.state === 'checking') return 'checking'
  if (needsChoice(photo)) return 'unchosen'
  if (check.state === 'answered') return verdictOn(photo, check.answer).usable ? 'fit' : 'unfit'
  const { error } = check
  const isAboutPhoto = error instanceof ApiError && error.fromServer && aboutPhoto.test(error.code)
  return isAboutPhoto ? 'unfit' : 'fit'
}

/** Codes of the error table that are a verdict on the photo. */
const aboutPhoto = /^(?:photo|face|picture|background)_/

/** A hint of the photo check; `face` is its place among several faces. */
type FaceHint = InspectAnswer['hints'][number] & { face?: number }

/** What the photo check says of the faces that are meant; its own verdict is about the main face alone. */
export function verdictOn(
  photo: ChosenPhoto,
  answer: InspectAnswer,
): { usable: boolean; hints: FaceHint[] } {
  const meant = chosenFaces(photo)
  const faces = meant.flatMap((index) => answer.faces[index] ?? [])
  if (faces.length === 0 && !needsChoice(photo)) return answer
  const ofFaces = faces.flatMap(({ hints = [] }, n) =>
    hints.map((code) => {
      const known = answer.hints.find((hint) => hint.code === code)
      return { code, sentence: known?.sentence ?? '', face: meant[n]! }
    }),
  )
  return {
    usable: faces.every(({ refusals }) => refusals.length === 0),
    hints: [
      ...answer.hints.filter(({ code }) => code === severalFaces),
      ...ofFaces.filter(({ code }) => code !== severalFaces),
    ],
  }
}

/** That a picture in the photo's own place begins in black and white, and why; null where it doesn't. */
export function greyNoteOf({ mine, wishes }: StudioChoices, m: DashboardMessages): string | null {
  const isOpen = wishes.look === 'automatic'
  if (!isOpen || fitnessOf(mine) === 'unfit' || mine?.check?.state !== 'answered') return null
  const hints = verdictOn(mine, mine.check.answer).hints.map(({ code }) => code)
  const reasons = greyReasonsOf(greyHintsOf(hints, wishes.scene !== 'own'), m)
  return reasons ? fill(m.greyComes, { reasons }) : null
}

/** What these hints say, in words; empty without any. */
export function greyReasonsOf(hints: readonly GreyHint[], m: DashboardMessages): string {
  return hints.map((hint) => m.greyReasons[hint]).join(', ')
}

type People = Pick<StudioChoices, 'mine' | 'star' | 'second'>

/** The one hint that is about all faces together. */
export const severalFaces = 'several_faces'

/** Whether a photo ends so soon below the chin that it can't be part of a 9:16 picture. */
export function isTooTightForStory(photo: ChosenPhoto | null): boolean {
  if (photo?.check?.state !== 'answered') return false
  return verdictOn(photo, photo.check.answer).hints.some(({ code }) => code === 'tight_crop')
}

/** Whether the photo of anybody ends too soon below the chin for 9:16. */
export function isAnyTightForStory({ mine, star, second }: People): boolean {
  const people: Partial<ChosenStar>[] = [{ custom: mine }, star, second ?? {}]
  return people.some(({ custom, preset }) =>
    custom ? isTooTightForStory(custom) : preset?.tightCrop === true,
  )
}

/** What the main button may wait for: the keys of its sentences. */
type Need = Extract<keyof DashboardMessages, `need${string}`>

/** Where that is chosen, as an id of the page, unless with the person's own photo; null where nowhere. */
const places: Partial<Record<Need, string | null>> = placesOfNeeds

/** How many would be in the picture: each star, and each face that is meant. */
function headCountOf({ mine, second }: Pick<StudioChoices, 'mine' | 'second'>): number {
  return (second ? 2 : 1) + Math.max(1, mine ? chosenFaces(mine).length : 0)
}

/** The format of a picture until somebody chooses one. Close crops were believed .22 of 5 more in 4:3 than in 4:5. */
export function usualFormat(people: People): SelfieAspect {
  // Friends of one photo may stand far apart.
  if (people.mine && chosenFaces(people.mine).length > 1) return '16:9'
  const isTight = [people.mine, people.star.custom].some(isTooTightForStory)
  return isTight || people.second ? '4:3' : '4:5'
}

/** The wide format that is advised for an upright picture, or is chosen already; null without one. */
export function adviceOf(choices: StudioChoices, m: DashboardMessages): Missing | null {
  const format = usualFormat(choices)
  const advisedIn: readonly SelfieAspect[] = ['4:5', '9:16', format]
  if (format === '4:5' || !advisedIn.includes(choices.wishes.aspect)) return null
  const sentence = fill(m.adviseFormat, { format, count: headCountOf(choices) })
  return { sentence, at: null, format }
}

/** What the main button waits for, the id of its place, and a format in which these photos would do. */
export type Missing = { sentence: string; at: string | null; format: SelfieAspect | undefined }

/** What the main button waits for; null when all is there. `refusal` is the server's, of who stands there. */
export function missingOf(
  choices: StudioChoices,
  m: DashboardMessages,
  refusal: FormatRefusal | null = null,
): Missing | null {
  const { aspect } = choices.wishes
  const isTooTight = aspect === '9:16' && isAnyTightForStory(choices)
  const need =
    needOf(choices) ?? (refusal ? needOfFormat(refusal) : isTooTight ? 'needOtherFormat' : null)
  if (need === null) return null
  const sentence = fill(m[need], { most: headsMax, format: aspect })
  const { [need]: at = 'person-1' } = places
  const usual = usualFormat(choices)
  const format = !refusal || refusal.formats.includes(usual) ? usual : refusal.formats[0]
  return { sentence, at, format: need.endsWith('Format') ? format : undefined }
}

function needOf(choices: StudioChoices): Need | null {
  const { mine, star, second, background, wishes } = choices
  const [own, first] = [fitnessOf(mine), starFitness(star)]
  const added = second && starFitness(second)
  const place = wishes.scene === 'photo' && fitnessOf(background)
  const needs: [isSo: boolean, need: Need][] = [
    [own === 'unfit', 'needOtherPhoto'],
    [own === 'unchosen', 'needFace'],
    [first === 'unfit', 'needOtherStar'],
    [own === 'missing' && first === 'missing', 'needBothPhotos'],
    [own === 'missing', 'needYourPhoto'],
    [first === 'missing', 'needCelebrity'],
    [own === 'checking' || first === 'checking', 'needCheck'],
    [(star.custom ?? second?.custom ?? null) !== null && !wishes.consent, 'needConsent'],
    [added === 'missing', 'needSecondStar'],
    [added === 'unfit', 'needOtherSecondStar'],
    [headCountOf(choices) > headsMax, 'needFewerPeople'],
    [place === 'missing', 'needBackground'],
    [place === 'unfit', 'needOtherBackground'],
    [added === 'checking' || place === 'checking', 'needCheck'],
  ]
  return needs.find(([isSo]) => isSo)?.[1] ?? null
}

function needOfFormat({ code, formats }: FormatRefusal): Need {
  if (formats.length > 0) return code === 'story_too_tight' ? 'needOtherFormat' : 'needWiderFormat'
  return code === 'people_too_far_apart' ? 'needFewerFaces' : 'needShoulders'
}

function starFitness({ custom, preset }: ChosenStar): Fitness {
  return preset && !custom ? 'fit' : fitnessOf(custom)
}
