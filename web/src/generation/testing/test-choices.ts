import type { StudioChoices } from '../gather-request.ts'
import { testStar } from './test-star.ts'

const preset = testStar()

/** A preset star chosen in the studio, in front of the own background, and no photo yet; for tests. */
export const testChoices: StudioChoices = {
  mine: null,
  star: { custom: null, presetId: preset.id, preset },
  second: null,
  background: null,
  wishes: { prompt: '', scene: 'own', aspect: '4:5', look: 'automatic', consent: false },
}
