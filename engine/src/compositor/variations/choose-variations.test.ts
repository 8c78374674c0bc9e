import { expect, it } from 'vitest'
import type { Arrangement } from '../../arrangement.ts'
import { chooseVariations } from './choose-variations.ts'

const standing = { y: 0.5, size: 0.3, turnDegrees: 0, mirrored: false }

const at = (aspect: Arrangement['aspect'], x: number) => ({
  cost: 0,
  arrangement: {
    aspect,
    scene: 'own' as const,
    frontToBack: [0, 1],
    blur: 0.5,
    warmth: 0,
    look: 'natural' as const,
    caption: '',
    subjects: [x, 0.8].map((place) => ({ ...standing, x: place })),
  },
})

it('puts two other formats at most on a sheet', () => {
  const candidates = [at('4:5', 0.1), at('1:1', 0.25), at('16:9', 0.4), at('9:16', 0.55)]
  const chosen = chooseVariations({
    candidates,
    best: candidates[0]!,
    chosen: [],
    count: 4,
    otherScenesMax: 0,
  })
  expect(chosen.filter(({ arrangement }) => arrangement.aspect !== '4:5')).toHaveLength(2)
})

it('takes nearer ones where it is asked to', () => {
  const best = at('4:5', 0.1)
  const inScene = { ...best, arrangement: { ...best.arrangement, scene: 'cafe' as const } }
  const choice = { candidates: [inScene], best, chosen: [best.arrangement], count: 1 }
  const scenesOf = (distanceMin?: number) =>
    chooseVariations({ ...choice, otherScenesMax: 1, ...(distanceMin && { distanceMin }) }).map(
      ({ arrangement }) => arrangement.scene,
    )
  expect(scenesOf()).toEqual([])
  expect(scenesOf(0.75)).toEqual(['cafe'])
})
