import type { GenerationItem } from '@starside/contract/generation.ts'

/** The number of the version that a selfie's public link shows where another one is chosen; else 0. */
export function otherShared(item: Pick<GenerationItem, 'variations'> | null): number {
  return (item?.variations ?? []).findIndex((one) => one.isShared && !one.isChosen) + 1
}
