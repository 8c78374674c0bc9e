import type { ColourPlanes } from '../../image/colour-planes.ts'
import { releaseMemory } from '../../release-memory.ts'

/** Moves planes to memory that all threads see. */
export function fillPlanes(target: ColourPlanes, planes: ColourPlanes): void {
  for (const [channel, { data }] of planes.entries()) {
    target[channel]!.data.set(data)
    releaseMemory(data)
  }
}
