import { expect, test } from 'vitest'
import { matchPeople } from './judge-likeness.ts'

/** Distances of people to the faces of a picture; what is between people or faces is not read. */
function distancesOf(people: readonly (readonly number[])[]): number[][] {
  const count = people.length
  const none = people.map(() => 0)
  const faces = people[0]!.map((_face, index) => people.map((row) => row[index]!))
  return [
    ...people.map((row) => [...none, ...row]),
    ...faces.map((row) => [...row, ...none.slice(0, count)]),
  ]
}

test('everybody gets the face that makes all together most alike', () => {
  const alike = matchPeople(
    distancesOf([
      [0.3, 0.2],
      [0.9, 0.25],
    ]),
    2,
  )
  expect(alike.map((each) => each.toFixed(2))).toEqual(['0.70', '0.75'])
})

test('a passer-by is nobody’s, and one face is not two people’s', () => {
  const alike = matchPeople(
    distancesOf([
      [0.7, 0.1, 0.8],
      [0.9, 0.1, 0.4],
    ]),
    2,
  )
  expect(alike.map((each) => each.toFixed(2))).toEqual(['0.90', '0.60'])
})

test('a face that has nothing in common is 0, not less', () => {
  expect(matchPeople(distancesOf([[1.4]]), 1)).toEqual([0])
})
