import { expect, test } from 'vitest'
import type { InspectAnswer } from '@starside/contract/generation.ts'
import { readingOrder } from './reading-order.ts'

const facesAt = (...corners: [x: number, y: number][]): InspectAnswer['faces'] =>
  corners.map(([x, y]) => ({ x, y, width: 0.1, height: 0.1 })) as InspectAnswer['faces']

test.each([
  ['nobody', facesAt(), []],
  ['two beside each other', facesAt([0.6, 0.2], [0.1, 0.22]), [1, 0]],
  ['a row of tall and small people', facesAt([0.8, 0.2], [0.5, 0.28], [0.1, 0.36]), [2, 1, 0]],
  [
    'two rows, the upper one first',
    facesAt([0.5, 0.5], [0.1, 0.52], [0.7, 0.2], [0.3, 0.24], [0.05, 0.22]),
    [4, 3, 2, 1, 0],
  ],
])('%s are counted row by row, from left to right', (_who, faces, expected) => {
  expect(readingOrder(faces)).toEqual(expected)
})
