import { timingSafeEqual } from 'node:crypto'

/** Whether a given text is the expected secret one, in a time that tells nothing of where they differ. */
export function isSameText(expected: string, given: string | undefined): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given ?? '')]
  return one.length === other.length && timingSafeEqual(one, other)
}
