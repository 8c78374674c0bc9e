/**
 * The seed of what a scene looks like: another one for each generation, and the same when a
 * generation's job runs again.
 * @param generationId a UUID, whose last eight digits are random
 */
export function sceneSeedOf(generationId: string): number {
  return Number.parseInt(generationId.slice(-8), 16)
}
