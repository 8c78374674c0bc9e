import type { GenerationStage } from '@starside/contract/scenes.ts'
import type { Context } from '../context.ts'
import { generationTopic } from './finish-generation.ts'

/** Writes what is being done for a running generation, and tells those who watch it. */
export async function writeStage(
  context: Pick<Context, 'database' | 'notifications'>,
  generationId: string,
  stage: GenerationStage,
): Promise<void> {
  await context.database
    .updateTable('generations')
    .set({ stage })
    .where('id', '=', generationId)
    .where('state', '=', 'running')
    .where('stage', '!=', stage)
    .execute()
  await context.notifications.publish(generationTopic(generationId))
}
