import { expect, test } from 'vitest'
import { arrangement, brushStroke } from './arrangement.ts'

const subject = { x: 0.3, y: 0.4, size: 0.3, turnDegrees: 0, mirrored: false }
const pair = {
  aspect: '4:5',
  scene: 'studio',
  subjects: [subject, { ...subject, x: 0.7 }],
  frontToBack: [1, 0],
  warmth: 0,
  blur: 0.5,
  look: 'warm',
  caption: '',
}
const isTaken = (more: object) => arrangement.safeParse({ ...pair, ...more }).success

test('the order from front to back names each of the people once', () => {
  expect(isTaken({})).toBe(true)
  for (const frontToBack of [[0, 0], [0, 2], [0, 1, 2], [0]]) {
    expect(isTaken({ frontToBack }), String(frontToBack)).toBe(false)
  }
  const three = { subjects: [...pair.subjects, subject] }
  expect(isTaken({ ...three, frontToBack: [2, 0, 1] })).toBe(true)
  expect(isTaken({ ...three, frontToBack: [1, 0] })).toBe(false)
})

test('brightness and contrast are left out, as of pictures made before there were any, or within one either way', () => {
  for (const key of ['brightness', 'contrast']) {
    expect([-1, 0, 1].map((value) => isTaken({ [key]: value }))).toEqual([true, true, true])
    expect([-1.1, 1.1].map((value) => isTaken({ [key]: value }))).toEqual([false, false])
  }
})

test('a subject has light of its own, within one either way, or none', () => {
  for (const key of ['brightness', 'warmth']) {
    const lit = (value: number) => isTaken({ subjects: [{ ...subject, [key]: value }, subject] })
    expect([-1, 0, 1, -1.1, 1.1].map(lit)).toEqual([true, true, true, false, false])
  }
})

/** A stroke of so many points, so far from each other. */
const strokeOf = (count: number, step = 0.001) => ({
  kind: 'erase',
  size: 0.2,
  softness: 0,
  points: Array.from({ length: count }, (_, n) => ({ x: n * step, y: 0 })),
})

test('a stroke goes on from each point to one near it', () => {
  expect(brushStroke.safeParse(strokeOf(3, 0.5)).success).toBe(true)
  expect(brushStroke.safeParse(strokeOf(3, 0.51)).success).toBe(false)
  expect(brushStroke.safeParse(strokeOf(5, 0.3)).success, 'far from where it began').toBe(true)
  const leap = [
    { x: 0, y: 0 },
    { x: 0.4, y: 0.4 },
  ]
  expect(brushStroke.safeParse({ ...strokeOf(1), points: leap }).success).toBe(false)
})

test('the strokes of one person have eight hundred points together', () => {
  const retouched = (...counts: number[]) =>
    isTaken({ subjects: [{ ...subject, retouch: counts.map((n) => strokeOf(n)) }, subject] })
  expect([retouched(400, 400), retouched(400, 401), retouched(800)]).toEqual([true, false, true])
})
