import { expect, it } from 'vitest'
import { numberAlike } from './use-editing.ts'

it('numbers the names that several have, and leaves the others', () => {
  expect(numberAlike(['You', 'Custom Photo', 'Custom Photo'])).toEqual([
    'You',
    'Custom Photo 1',
    'Custom Photo 2',
  ])
  expect(numberAlike(['You', 'Ada Vale'])).toEqual(['You', 'Ada Vale'])
})
