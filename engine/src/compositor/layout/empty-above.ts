import { applySimilarity } from '../../image/warp.ts'
import type { Layout } from './layout.ts'
import type { LayoutSubject } from './layout-subject.ts'

/** Part of the height that is empty above the highest hair; wide, short groups sink down. */
export function emptyAbove(
  subjects: readonly LayoutSubject[],
  layout: Pick<Layout, 'subjects'>,
  height: number,
): number {
  const tops = subjects.map(({ head, silhouette }, n) => {
    const top = { x: head.centre.x, y: silhouette.top }
    return applySimilarity(layout.subjects[n]!.toPicture, top).y
  })
  return Math.max(0, Math.min(...tops)) / height
}
