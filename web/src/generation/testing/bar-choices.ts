import type { Wishes } from '../gather-request.ts'
import type { Missing } from '../photo-fitness.ts'
import type { ChoicesProps } from '../use-studio-choices.ts'
import { testChoices } from './test-choices.ts'
import { photoOf } from './test-photo.ts'
import { testStar } from './test-star.ts'

interface BarState {
  hasPhoto: boolean
  /** Of the photo, where several faces are chosen. */
  faces?: readonly number[]
  borrowed?: boolean
  /** Whether each is chosen, or a photo of one's own is. */
  stars: readonly (boolean | 'own')[]
  missing?: Missing | null
  advice?: Missing | null
  wishes?: Partial<Wishes>
  change?: (wishes: object) => void
}

const preset = (n: number) => testStar({ name: ['Ada Vale', 'Bo Reed'][n]! })

/** What is chosen in the studio, as far as the bar of the main button looks at it; for tests. */
export function barChoices(given: BarState): ChoicesProps['choices'] {
  const { hasPhoto, faces = [], stars, wishes, ...state } = given
  const [star, second = null] = stars.map((isChosen, n) => ({
    chosen: {
      custom: isChosen === 'own' ? photoOf(0.5) : null,
      presetId: null,
      preset: isChosen === true ? preset(n) : undefined,
    },
  }))
  const [faceIndex = null, ...companions] = faces
  const photo = hasPhoto ? { ...photoOf(0.5), faceIndex, companions } : null
  const chosen = { mine: { photo }, star, second }
  const rest = { missing: null, advice: null, wishes: { ...testChoices.wishes, ...wishes } }
  return { ...rest, ...chosen, ...state } as ChoicesProps['choices']
}
