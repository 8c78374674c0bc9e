import { expect, test } from 'vitest'
import { placeSection } from './write-section.ts'

test('a section takes the place of its earlier self, and a new one comes last', () => {
  const page = placeSection('# Benchmarks\n', 'One', '## One\n\nfirst')
  const two = placeSection(page, 'Two', '## Two\n\nsecond')
  const again = placeSection(two, 'One', '## One\n\nthird')
  expect(again).toBe('# Benchmarks\n\n## One\n\nthird\n\n## Two\n\nsecond\n')
})
