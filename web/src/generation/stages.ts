import { generationStages, type GenerationStage } from '@starside/contract/scenes.ts'

/** The stages that are shown one under the other; 'done' is the picture itself. */
export const shownStages = generationStages.filter((stage) => stage !== 'done')

/**
 * How far a generation is, 0 to 100, counted in stages; a null stage is 'not yet accepted'.
 * @param stagePercent how far the stage itself is, 0 to 100
 */
export function percentOf(stage: GenerationStage | null, stagePercent = 0): number {
  if (stage === null) return 0
  const stagesDone = generationStages.indexOf(stage) + (stage === 'done' ? 0 : stagePercent / 100)
  return Math.round((stagesDone / (generationStages.length - 1)) * 100)
}
