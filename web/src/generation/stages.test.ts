import { generationStages } from '@starside/contract/scenes.ts'
import { expect, it } from 'vitest'
import { stagePercent } from './stages.ts'

it('rises with every stage, from nothing to all', () => {
  const percents = generationStages.map((stage) => stagePercent(stage))
  expect(percents).toEqual(percents.toSorted((a, b) => a - b))
  expect(new Set(percents).size).toBe(percents.length)
  expect(stagePercent(null)).toBe(0)
  expect(stagePercent('done')).toBe(100)
})
