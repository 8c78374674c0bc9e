import { expect, it } from 'vitest'
import { chosenFaces, ownFacesMax, toggleFace } from './toggle-face.ts'
import type { ChosenPhoto } from './use-photo.ts'

const photo = (faceIndex: number, ...company: number[]): ChosenPhoto => ({
  prepared: null,
  check: null,
  faceIndex,
  company,
})

it('takes a friend into the picture and out of it again', () => {
  const both = toggleFace(photo(0), 2, 3)
  expect(chosenFaces(both)).toEqual([0, 2])
  expect(chosenFaces(toggleFace(both, 0, 3))).toEqual([2])
})

it('lists faces in the order of the photo check, however they were pressed', () => {
  expect(chosenFaces(toggleFace(photo(2), 0, 3))).toEqual([0, 2])
})

it('keeps the last face', () => {
  expect(chosenFaces(toggleFace(photo(1), 1, 3))).toEqual([1])
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
