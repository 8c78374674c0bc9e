import { expect, it } from 'vitest'
import type { InspectAnswer } from '@starside/contract/generation.ts'
import {
  areChosen,
  chosenFaces,
  everybodyIn,
  firstFace,
  needsChoice,
  ownFacesMax,
  toggleFace,
  toggleFaces,
  type ChosenPhoto,
} from './use-photo.ts'

const photo = (faceIndex: number, ...companions: number[]): ChosenPhoto => ({
  prepared: null,
  check: null,
  faceIndex,
  companions,
})

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

it('lists faces in the order of the photo check, however they were pressed', () => {
  expect(chosenFaces(toggleFace(photo(2), 0, 3))).toEqual([0, 2])
})

it('keeps the last face', () => {
  expect(chosenFaces(toggleFace(photo(1), 1, 3))).toEqual([1])
})

it('takes a face out of a full picture too', () => {
  expect(chosenFaces(toggleFace(photo(0, 1, 2), 1, 3))).toEqual([0, 2])
})

it.each([1, 2])('leaves room for %d stars', (starCount) => {
  const most = ownFacesMax(starCount)
  let chosen = photo(0)
  for (const index of [1, 2, 3]) chosen = toggleFace(chosen, index, most)
  expect(chosenFaces(chosen)).toHaveLength(4 - starCount)
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
  expect(everybodyIn(photo(0), 3)).toEqual([])
})

it('takes everybody into the picture at once, and all but the first out again', () => {
  const all = toggleFaces(photo(2), [0, 2, 3])
  expect([chosenFaces(all), areChosen(all, [0, 2, 3])]).toEqual([[0, 2, 3], true])
  const one = toggleFaces(all, [0, 2, 3])
  expect([chosenFaces(one), areChosen(one, [0, 2, 3])]).toEqual([[0], false])
})
