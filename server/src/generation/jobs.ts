import { z } from 'zod'
import type { Context } from '../context.ts'
import { failGeneration } from './finish-generation.ts'
import { generationQueue } from './generation-job.ts'
import { runGeneration } from './run-generation.ts'
import { sweepGenerations } from './sweep.ts'

const jobData = z.object({ generationId: z.uuid() })

/** Takes selfies from the queue, and sweeps every five minutes. */
export async function workOnGenerations(context: Context): Promise<void> {
  await context.jobs.work({
    ...generationQueue,
    concurrency: context.config.generationsAtOnce,
    run: (job) => runGeneration(context, jobData.parse(job.data).generationId, job),
    onDead: (data) =>
      failGeneration(context, jobData.parse(data).generationId, 'generation_failed'),
  })
  context.doorbell.listen(`queue:${generationQueue.name}`, () =>
    context.jobs.wake(generationQueue.name),
  )
  await context.jobs.schedule('sweep-generations', '*/5 * * * *', (signal) =>
    sweepGenerations(context, signal),
  )
}
