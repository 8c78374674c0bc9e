import { generationStages, type GenerationStage } from '@starside/contract/scenes.ts'
import type { DashboardMessages } from '../ui/messages/dashboard.en.ts'

/** The stages that are shown one under the other; 'done' is the picture itself. */
export const shownStages = generationStages.filter((stage) => stage !== 'done')

/** A stage in words. */
export function stageText(stage: GenerationStage, m: DashboardMessages): string {
  const texts: Record<GenerationStage, string> = {
    queued: m.stageQueued,
    reading: m.stageReading,
    faces: m.stageFaces,
    matting: m.stageMatting,
    layout: m.stageLayout,
    harmonise: m.stageHarmonise,
    blend: m.stageBlend,
    finish: m.stageFinish,
    done: m.stageDone,
  }
  return texts[stage]
}

/** How far a generation is, 0 to 100, counted in stages; null is 'not yet accepted'. */
export function stagePercent(stage: GenerationStage | null): number {
  if (stage === null) return 0
  return Math.round((generationStages.indexOf(stage) / (generationStages.length - 1)) * 100)
}
