import { expect, it } from 'vitest'
import { groupFindings, numbersText } from './photo-check.tsx'

it('says what is found of several faces once, and what is about the photo without faces', () => {
  const small = 'The face is small.'
  const closed = 'The eyes look closed.'
  const findings = [
    { face: undefined, text: '4 faces found.' },
    { face: 3, text: small },
    { face: 0, text: closed },
    { face: 1, text: small },
  ]
  expect(groupFindings(findings)).toEqual([
    { text: '4 faces found.', faces: [] },
    { text: small, faces: [1, 3] },
    { text: closed, faces: [0] },
  ])
})

it.each([
  [[0], '1'],
  [[0, 1], '1, 2'],
  [[1, 2, 3], '2–4'],
  [[0, 2, 3, 4, 5, 8, 9], '1, 3–6, 9, 10'],
])('names faces %j as %s', (faces, text) => {
  expect(numbersText(faces)).toBe(text)
})
