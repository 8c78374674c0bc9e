import { expect, test } from 'vitest'
import { arrangement } from './arrangement.ts'

const subject = { x: 0.3, y: 0.4, size: 0.3, turnDegrees: 0, mirrored: false }
const today = {
  aspect: '4:5',
  scene: 'own',
  subjects: [subject, { ...subject, x: 0.7 }],
  frontToBack: [0, 1],
  warmth: 0,
  blur: 0.5,
  look: 'natural',
  caption: '',
}

test('an arrangement that an earlier version stored, with a share of moved light, is read without it', () => {
  expect(arrangement.parse({ ...today, light: 0.5 })).toEqual(today)
})
