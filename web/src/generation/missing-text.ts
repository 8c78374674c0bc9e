import { headsMax } from '@starside/contract/limits.ts'
import { fill } from '@starside/contract/fill.ts'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'
import type { ChosenStar, StudioChoices } from './gather-request.ts'
import { fitnessOf, tightForStory, type Fitness } from './photo-fitness.ts'
import { chosenFaces } from './toggle-face.ts'

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
