import type { Config } from '../../config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { FaceComparison } from '../../selfies/likeness/face-comparison.ts'
import { comparesFaces, tryComparison } from '../../selfies/likeness/try-comparison.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { likenessCheck, saveCheck } from '../../operator/operator-checks.ts'

/**
 * The comparison of faces, where hosted models make pictures and LIKENESS_CHECK isn't off. Where its
 * packages are missing pictures are made without it, and log and operator's page say so.
 */
export async function openLikeness(
  settings: Pick<Config, 'images'>,
  { database, clock, log }: { database: Database; clock: () => Date; log: Logger },
): Promise<FaceComparison | undefined> {
  if (!comparesFaces(settings)) return undefined
  const { comparison, fault } = await tryComparison()
  if (fault !== undefined) log.warn(`Hosted pictures are not compared with the photos: ${fault}`)
  await saveCheck(database, {
    name: likenessCheck,
    at: clock(),
    isGood: fault === undefined,
    finding: fault ?? 'Hosted pictures are compared with the photos.',
  })
  return comparison
}
