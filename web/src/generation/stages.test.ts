import { generationStages } from '@starside/contract/scenes.ts'
import { expect, it } from 'vitest'
import { percentOf } from './generation-progress.tsx'

it('rises with every stage, from nothing to all', () => {
  const percents = generationStages.map((stage) => percentOf(stage))
  expect(percents).toEqual(percents.toSorted((a, b) => a - b))
  expect(new Set(percents).size).toBe(percents.length)
  expect(percentOf(null)).toBe(0)
  expect(percentOf('done')).toBe(100)
})

it('rises within a stage up to the next one', () => {
  const [before, half, after] = [percentOf('blend'), percentOf('blend', 50), percentOf('finish')]
  expect(half).toBeGreaterThan(before)
  expect(half).toBeLessThan(after)
  expect(percentOf('blend', 100)).toBe(after)
})
