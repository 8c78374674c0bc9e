import type { GenerateRequest } from '../image-provider.ts'
import type { PersonSession } from './person-session.ts'
import { litPerson } from './placed-people.ts'
import { isBetterMirrored } from './relight/plan-relight.ts'
import type { ReadResult } from './thread-messages.ts'

/**
 * The readings, those of stars mirrored where that brings their light much nearer to the user's.
 * @param sessions one for each reading, the user's first
 * @param request says of each star whether that may be
 */
export async function mirrorStars(
  sessions: readonly Pick<PersonSession, 'mirror'>[],
  [user, ...stars]: readonly ReadResult[],
  request: Pick<GenerateRequest, 'stars' | 'signal'>,
): Promise<ReadResult[]> {
  const mirrored = await Promise.all(
    stars.map(async (star, n) => {
      const { mayMirror } = request.stars[n]!
      if (mayMirror === false || !isBetterMirrored(litPerson(user!), litPerson(star))) return star
      return (await sessions[n + 1]!.mirror(mayMirror === true, request.signal)) ?? star
    }),
  )
  return [user!, ...mirrored]
}
