import { layOut } from '@starside/engine/compositor/layout/layout.ts'
import type { Layout, PlacedSubject } from '@starside/engine/compositor/layout/layout.ts'
import type { LayoutSubject } from '@starside/engine/compositor/layout/layout-subject.ts'

/** The layout of one user and one star, by their roles. */
export interface PairLayout extends Pick<Layout, 'visibleCut' | 'headSize'> {
  user: PlacedSubject
  star: PlacedSubject
  front: 'user' | 'star'
}

export function layOutPair(
  user: LayoutSubject,
  star: LayoutSubject,
  width: number,
  height: number,
): PairLayout {
  const { subjects, frontToBack, visibleCut, headSize } = layOut([user, star], width, height)
  const [first, second] = subjects
  if (!first || !second) throw new Error('A layout places everybody')
  const front = frontToBack[0] === 0 ? 'user' : 'star'
  return { user: first, star: second, front, visibleCut, headSize }
}
