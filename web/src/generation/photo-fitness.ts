import type { InspectAnswer } from '@starside/contract/generation.ts'
import { ApiError } from '../api/call.ts'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'
import type { ChosenStar, StudioChoices } from './gather-request.ts'
import { chosenFaces, type ChosenPhoto } from './use-photo.ts'
import { headsMax } from '@starside/contract/limits.ts'
import { fill } from '@starside/contract/fill.ts'

/** Whether a photo is fit for a selfie; a check that could not be made stands in nobody's way. */
export type Fitness = 'missing' | 'checking' | 'unfit' | 'fit'

export function fitnessOf(photo: ChosenPhoto | null): Fitness {
  if (!photo) return 'missing'
  const { prepared, check } = photo
  if (!prepared || !check || check.state === 'checking') return 'checking'
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
  if (faces.length === 0) return answer
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

/** The one hint that is about all faces together. */
export const severalFaces = 'several_faces'

/** Whether a photo ends so soon below the chin that it can't be part of a 9:16 picture. */
export function isTooTightForStory(photo: ChosenPhoto | null): boolean {
  if (photo?.check?.state !== 'answered') return false
  return verdictOn(photo, photo.check.answer).hints.some(({ code }) => code === 'tight_crop')
}

/** Whose photos end too soon below the chin for 9:16, by a preset's name or a panel's title. */
export function tightForStory(
  { mine, star, second }: Pick<StudioChoices, 'mine' | 'star' | 'second'>,
  { person1, person2, person3 }: DashboardMessages,
): string[] {
  const ofStar = ({ custom, preset }: ChosenStar, title: string): string[] => {
    if (custom) return isTooTightForStory(custom) ? [title] : []
    return preset?.tightCrop ? [preset.name] : []
  }
  return [
    ...(isTooTightForStory(mine) ? [person1] : []),
    ...ofStar(star, person2),
    ...(second ? ofStar(second, person3) : []),
  ]
}

/** The sentence that names what the main button waits for; null when all is there. */
export function missingText(choices: StudioChoices, m: DashboardMessages): string | null {
  const { mine, star, second, background, wishes } = choices
  const hasUploadedStar = star.custom !== null || (second?.custom ?? null) !== null
  const headCount = (second ? 2 : 1) + (mine ? Math.max(1, chosenFaces(mine).length) : 1)
  return (
    missingOfPair(fitnessOf(mine), starFitness(star), hasUploadedStar && !wishes.consent, m) ??
    (second ? missingOfOne(starFitness(second), m.needSecondStar, m.needOtherStar, m) : null) ??
    (headCount > headsMax ? fill(m.needFewerPeople, { most: headsMax }) : null) ??
    (wishes.scene === 'photo'
      ? missingOfOne(fitnessOf(background), m.needBackground, m.needOtherBackground, m)
      : null) ??
    (wishes.aspect === '9:16' && tightForStory(choices, m).length > 0 ? m.needOtherFormat : null)
  )
}

function starFitness({ custom, preset }: ChosenStar): Fitness {
  return preset && !custom ? 'fit' : fitnessOf(custom)
}

/** `lacksConsent` is about a photo of one's own of a star. */
export function missingOfPair(
  mine: Fitness,
  star: Fitness,
  lacksConsent: boolean,
  m: DashboardMessages,
): string | null {
  if (mine === 'unfit') return m.needOtherPhoto
  if (star === 'unfit') return m.needOtherStar
  if (mine === 'missing') return star === 'missing' ? m.needBothPhotos : m.needYourPhoto
  if (star === 'missing') return m.needCelebrity
  if (mine === 'checking' || star === 'checking') return m.needCheck
  return lacksConsent ? m.needConsent : null
}

function missingOfOne(
  fitness: Fitness,
  missing: string,
  unfit: string,
  { needCheck }: DashboardMessages,
): string | null {
  return { missing, checking: needCheck, unfit, fit: null }[fitness]
}
