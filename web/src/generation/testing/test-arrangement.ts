import type { Arrangement } from '@starside/contract/arrangement.ts'

/** Where the user and the star of `testArrangement` stand. */
export const testUser = { x: 0.35, y: 0.4, size: 0.35, turnDegrees: 0, mirrored: false }
export const testNeighbour = { ...testUser, x: 0.65 }

/** The user beside a star, for tests. */
export const testArrangement: Arrangement = {
  aspect: '4:5',
  scene: 'own',
  subjects: [testUser, testNeighbour],
  frontToBack: [0, 1],
  warmth: 0,
  blur: 0.5,
  look: 'natural',
  caption: '',
}
