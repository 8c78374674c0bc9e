import { expect, test } from 'vitest'
import type { HeadMeasure } from '../compositor/faces/measure-head.ts'
import { judgeGroup } from './judge-group.ts'

const size = 100
/** A face of a photo; its other measures don't matter here. */
const at = (x: number, y = 200) => ({ head: { centre: { x, y }, size } as HeadMeasure })
const refusals = (faces: ReturnType<typeof at>[], chosen: number[]) =>
  judgeGroup(faces, chosen).refusals

test('two are refused while somebody who touches one of them stands between', () => {
  const row = [at(100), at(250), at(400)]
  expect(refusals(row, [0, 2])).toEqual(['someone_between'])
  expect(refusals(row, [2, 0])).toEqual(['someone_between'])
  expect(refusals(row, [0, 1])).toEqual([])
  expect(refusals(row, [0, 1, 2])).toEqual([])
  expect(refusals(row, [1])).toEqual([])
  expect(refusals([at(100), at(520, 330), at(400)], [0, 2])).toEqual([])
})

test('who stands between and two heads away from everybody, or far behind, leaves nothing of theirs', () => {
  expect(refusals([at(100), at(299), at(700)], [0, 2])).toEqual(['someone_between'])
  expect(refusals([at(100), at(301), at(700)], [0, 2])).toEqual([])
  const small = { head: { ...at(180).head, size: 30 } }
  expect(refusals([at(100), small, at(260)], [0, 2])).toEqual([])
})
