import type { GenerationItem } from '@starside/contract/generation.ts'

/** Which version a selfie's public link shows where another one is chosen, counted from 1; else 0. */
export function otherShared(item: GenerationItem | null): number {
  return (item?.variations ?? []).findIndex((one) => one.isShared && !one.isChosen) + 1
}
