import { z } from 'zod'
import type { StarParts } from './parts.ts'
import { cutOutStar, failStar } from './cut-out-star.ts'
import { starQueue } from './star-job.ts'
import { sweepStarObjects } from './sweep-star-objects.ts'

const starJob = z.object({ starId: z.string() })

/** Cuts stars out of their pictures, one at a time, and deletes what a crash has left of them. */
export async function workOnStars(context: StarParts): Promise<void> {
  const { config, site } = context
  await context.jobs.work({
    ...starQueue,
    concurrency: 1,
    run: ({ data, signal }) => {
      const watermarkText = site.values()['brand.markText'] || config.publicHost
      return cutOutStar({ ...context, watermarkText }, starJob.parse(data).starId, signal)
    },
    onDead: (data) => failStar(context.database, starJob.parse(data).starId, 'generation_failed'),
  })
  await context.jobs.schedule('sweep-stars', '29 4 * * *', (signal) =>
    sweepStarObjects(context, signal),
  )
}
