import { applySimilarity } from '../../image/warp.ts'
import type { Layout } from './layout.ts'
import type { LayoutSubject } from './layout-subject.ts'

/** Part of the height above the heads' foreheads, in the mean: those who sit apart sink down. */
export function emptyAbove(
  subjects: readonly Pick<LayoutSubject, 'heads'>[],
  layout: Pick<Layout, 'subjects'>,
  height: number,
): number {
  const tops = subjects.flatMap(({ heads }, n) =>
    heads.map((head) => applySimilarity(layout.subjects[n]!.toPicture, head.foreheadTop).y),
  )
  return tops.reduce((sum, top) => sum + top, 0) / (tops.length * height)
}
