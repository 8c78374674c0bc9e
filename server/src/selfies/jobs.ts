import { z } from 'zod'
import type { SelfieParts } from './parts.ts'
import { checkInputs } from './check-inputs.ts'
import { failGeneration } from './finish-generation.ts'
import { generationQueue } from './providers/begin-step.ts'
import { attemptQueue } from './providers/attempts.ts'
import { failAttempt } from './providers/end-attempt.ts'
import { runAttempt } from './providers/run-attempt.ts'
import { watchAttempts } from './providers/watch-attempts.ts'
import { runGeneration } from './run-generation.ts'
import { sweepGenerations } from './sweep.ts'

const jobData = z.object({ generationId: z.uuid() })
const attemptJobData = z.object({ attemptId: z.uuid() })

/** Takes selfies from the queues, watches attempts at hosted providers, and sweeps now and then. */
export async function workOnGenerations(context: SelfieParts): Promise<void> {
  await context.jobs.work({
    ...generationQueue,
    concurrency: context.config.generationsAtOnce,
    run: (job) => runGeneration(context, jobData.parse(job.data).generationId, job),
    onDead: (data) =>
      failGeneration(context, jobData.parse(data).generationId, 'generation_failed'),
  })
  if (context.images.hostedCount > 0) await workOnAttempts(context)
  await context.jobs.schedule('check-inputs', '43 * * * *', async () => {
    await checkInputs(context)
  })
  await context.jobs.schedule('sweep-generations', '*/5 * * * *', (signal) =>
    sweepGenerations(context, signal),
  )
}

/** Jobs of one node that wait for vendors at the same time. */
const attemptJobsMax = 64

/** Their jobs only wait for the network, so many may run beside the pictures made here. */
async function workOnAttempts(context: SelfieParts): Promise<void> {
  const { atOnceMax } = context.images.settings
  await context.jobs.work({
    ...attemptQueue,
    concurrency: Math.min(attemptJobsMax, (atOnceMax + 1) * context.images.hostedCount),
    run: ({ data, signal }) => runAttempt(context, attemptJobData.parse(data).attemptId, signal),
    onDead: async (data) => {
      const { attemptId } = attemptJobData.parse(data)
      const detail = 'its job failed on our side'
      await failAttempt(context, attemptId, { kind: 'unknown', detail, maybeCharged: true })
    },
  })
  context.images.attach(watchAttempts(context))
}
