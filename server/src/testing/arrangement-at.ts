import type { Arrangement } from '@starside/contract/arrangement.ts'

/** Two people side by side, the first with their head at `x`, the other mirrored to it. */
export function arrangementAt(x: number): Arrangement {
  const subject = { x, y: 0.4, size: 0.35, turnDegrees: 0, mirrored: false }
  return {
    aspect: '4:5',
    scene: 'own',
    subjects: [subject, { ...subject, x: 1 - x }],
    frontToBack: [0, 1],
    warmth: 0,
    blur: 0.5,
    look: 'natural',
    caption: '',
  }
}
