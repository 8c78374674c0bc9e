import type { Missing } from '../photo-fitness.ts'
import type { ChoicesProps } from '../use-studio-choices.ts'
import { testChoices } from './test-choices.ts'
import { photoOf } from './test-photo.ts'
import { testStar } from './test-star.ts'

interface BarState {
  hasPhoto: boolean
  /** Whether each is chosen. */
  stars: readonly boolean[]
  missing?: Missing | null
  advice?: Missing | null
  wishes?: object
  change?: (wishes: object) => void
}

/** What is chosen in the studio, as far as the bar of the main button looks at it; for tests. */
export function barChoices({ hasPhoto, stars, ...state }: BarState): ChoicesProps['choices'] {
  const [star, second = null] = stars.map((isChosen) => ({
    chosen: { custom: null, presetId: null, preset: isChosen ? testStar() : undefined },
  }))
  const chosen = { mine: { photo: hasPhoto ? photoOf(0.5) : null }, star, second }
  const rest = { missing: null, advice: null, wishes: testChoices.wishes }
  return { ...rest, ...chosen, ...state } as ChoicesProps['choices']
}
