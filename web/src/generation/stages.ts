import { generationStages, type GenerationStage } from '@starside/contract/scenes.ts'

/** The stages that are shown one under the other; 'done' is the picture itself. */
export const shownStages = generationStages.filter((stage) => stage !== 'done')

/** How far a generation is, 0 to 100, counted in stages; null is 'not yet accepted'. */
export function stagePercent(stage: GenerationStage | null): number {
  if (stage === null) return 0
  return Math.round((generationStages.indexOf(stage) / (generationStages.length - 1)) * 100)
}
