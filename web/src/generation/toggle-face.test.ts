import { expect, it } from 'vitest'
import type { InspectAnswer } from '@starside/contract/generation.ts'
import {
  chosenFaces,
  everybodyIn,
  firstFace,
  needsChoice,
  toggleFace,
  toggleEverybody,
  type ChosenPhoto,
} from './use-photo.ts'

/** A photo of people in a row, each of whom touches the next, or of four who stand apart. */
const rowOf = (faces: object[], faceIndex: number, ...companions: number[]): ChosenPhoto => {
  const found = faces.map((face, n) => ({ x: n * 0.2, width: 0.1, refusals: [], ...face }))
  const answer = { faces: found } as unknown as InspectAnswer
  return { prepared: null, check: { state: 'answered', answer }, faceIndex, companions }
}
const photo = (...chosen: [number, ...number[]]) => rowOf([{}, {}, {}, {}], ...chosen)
const touching = [{ touches: [1] }, { touches: [0, 2] }, { touches: [1, 3] }, { touches: [2] }]

it('takes a friend into the picture and out of it again', () => {
  const both = toggleFace(photo(0), 2, 3)
  expect(chosenFaces(both)).toEqual([0, 2])
  expect(chosenFaces(toggleFace(both, 0, 3))).toEqual([2])
})

it.each([
  ['the largest', [{ width: 0.1 }, { width: 0.2 }], 1],
  ['one near the middle of two alike', [{ x: 0.02 }, { x: 0.45 }], 1],
  ['one that can be used', [{ width: 0.5, refusals: ['face_cut'] }, {}], 1],
])('means of several %s', (_who, faces, expected) => {
  const face = { x: 0.4, y: 0.2, width: 0.1, height: 0.1, isMain: false, refusals: [], hints: [] }
  const all = faces.map((change) => ({ ...face, ...change }))
  expect(firstFace({ faces: all })).toBe(expected)
})

it.each([
  ['the one twice as large as any other', [{}, { width: 0.2 }, {}], 1],
  ['the one that can be used', [{ width: 0.5, refusals: ['face_cut'] }, {}], 1],
  ['nobody of two about as large', [{ width: 0.14 }, {}], null],
  ['nobody of two large ones beside a small', [{ width: 0.3 }, {}, { width: 0.3 }], null],
])('where it must be clear means of several %s', (_who, faces, expected) => {
  const face = { x: 0.4, y: 0.2, width: 0.1, height: 0.1, isMain: false, refusals: [] }
  const all = faces.map((change) => ({ ...face, ...change }))
  expect(firstFace({ faces: all }, true)).toBe(expected)
})

it('a face is to be chosen where several can be and none is', () => {
  const asks = (faceIndex: number | null, ...refusals: string[][]) => {
    const answer = { faces: refusals.map((codes) => ({ refusals: codes })) }
    const check = { state: 'answered' as const, answer: answer as unknown as InspectAnswer }
    return needsChoice({ prepared: null, check, faceIndex })
  }
  expect([asks(null, [], []), asks(0, [], []), asks(null, [])]).toEqual([true, false, false])
  expect(asks(null, ['face_cut'], ['face_cut']), 'nobody of whom can be').toBe(false)
})

it('one face alone takes the place of the one before', () => {
  expect(chosenFaces(toggleFace(photo(1), 0, 1))).toEqual([0])
  expect(chosenFaces(toggleFace(photo(1), 1, 1))).toEqual([1])
})

it('takes along who would be left out between two, and leaves who has no room or would stand beyond', () => {
  expect(chosenFaces(toggleFace(rowOf(touching, 0), 2, 3)), 'the ends').toEqual([0, 1, 2])
  expect(chosenFaces(toggleFace(rowOf(touching, 0, 1), 3, 3)), 'too many').toEqual([1, 2, 3])
  expect(chosenFaces(toggleFace(rowOf(touching, 0, 1, 2), 1, 3)), 'the middle').toEqual([0])
  expect(chosenFaces(toggleFace(rowOf(touching, 0, 1, 2), 2, 3)), 'an end').toEqual([0, 1])
})

it('takes along who stands apart between two, as large as they are, and nobody farther behind', () => {
  const level = { y: 0.3, height: 0.1 }
  const ends = (between: object) => chosenFaces(toggleFace(rowOf([level, between, level], 0), 2, 3))
  expect(ends(level)).toEqual([0, 1, 2])
  expect(ends({ ...level, width: 0.07 }), 'a smaller one').toEqual([0, 2])
  expect(ends({ ...level, y: 0.5 }), 'another row').toEqual([0, 2])
})

it('takes a face in the place of another one from whom somebody keeps it who can’t be in a picture', () => {
  const parted = touching.with(1, { ...touching[1]!, refusals: ['face_too_small'] } as never)
  expect(chosenFaces(toggleFace(rowOf(parted, 0), 2, 3))).toEqual([2])
})

it('lists faces in the order of the photo check, however they were pressed', () => {
  expect(chosenFaces(toggleFace(photo(2), 0, 3))).toEqual([0, 2])
})

it('keeps the last face', () => {
  expect(chosenFaces(toggleFace(photo(1), 1, 3))).toEqual([1])
})

it('takes a face out of a full picture too', () => {
  expect(chosenFaces(toggleFace(photo(0, 1, 2), 1, 3))).toEqual([0, 2])
})

it.each([3, 2])('takes %d faces at most', (most) => {
  let chosen = photo(0)
  for (const index of [1, 2, 3]) chosen = toggleFace(chosen, index, most)
  expect(chosenFaces(chosen)).toHaveLength(most)
  expect(chosenFaces(chosen), 'the last takes the place of another').toContain(3)
})

it('knows no face where there is nothing to choose', () => {
  expect(chosenFaces({ prepared: null, check: null, faceIndex: null })).toEqual([])
})

it('everybody can be in a picture together, unless that is one alone, more than fit, or one is refused', () => {
  const found = (...refusals: string[][]): ChosenPhoto => {
    const answer = { faces: refusals.map((codes) => ({ refusals: codes })) }
    return { ...photo(0), check: { state: 'answered', answer: answer as unknown as InspectAnswer } }
  }
  expect(everybodyIn(found([], ['face_cut'], []), 3), 'not without somebody').toEqual([])
  expect(everybodyIn(found([], [], []), 3)).toEqual([0, 1, 2])
  expect(everybodyIn(found([], [], []), 2)).toEqual([])
  expect(everybodyIn(found([], ['face_cut']), 3)).toEqual([])
  expect(everybodyIn({ prepared: null, check: null, faceIndex: 0 }, 3)).toEqual([])
})

it('takes everybody into the picture at once, and all but the first out again', () => {
  const all = toggleEverybody(photo(2), [0, 1, 2, 3])
  expect(chosenFaces(all)).toEqual([0, 1, 2, 3])
  expect(chosenFaces(toggleEverybody(all, [0, 1, 2, 3]))).toEqual([0])
})
