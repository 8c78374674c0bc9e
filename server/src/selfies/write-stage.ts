import type { GenerationStage } from '@starside/contract/scenes.ts'
import type { SelfieParts } from './parts.ts'
import { generationTopic } from './finish-generation.ts'

/**
 * Writes what is being done for a running generation, and tells those who watch it. A stage that can't be
 * written spoils no picture: it is logged.
 */
export async function writeStage(
  context: Pick<SelfieParts, 'database' | 'log' | 'notifications'>,
  generationId: string,
  stage: GenerationStage,
): Promise<void> {
  try {
    await context.database
      .updateTable('generations')
      .set({ stage, stage_percent: 0 })
      .where('id', '=', generationId)
      .where('state', '=', 'running')
      .where('stage', '!=', stage)
      .execute()
    await context.notifications.publish(generationTopic(generationId))
  } catch (error) {
    context.log.warn({ err: error, generationId }, 'a stage could not be written')
  }
}

/**
 * Writes how far the stage 'blend' of a running generation is, 0…100, and tells those who watch it. It
 * never goes back; from the stage before, it begins.
 */
export async function writeStagePercent(
  context: Pick<SelfieParts, 'database' | 'notifications'>,
  generationId: string,
  percent: number,
): Promise<void> {
  const written = await context.database
    .updateTable('generations')
    .set({ stage: 'blend', stage_percent: percent })
    .where('id', '=', generationId)
    .where('state', '=', 'running')
    .where(({ and, eb, or }) =>
      or([
        eb('stage', '=', 'reading'),
        and([eb('stage', '=', 'blend'), eb('stage_percent', '<', percent)]),
      ]),
    )
    .returning('id')
    .executeTakeFirst()
  if (written !== undefined) await context.notifications.publish(generationTopic(generationId))
}
