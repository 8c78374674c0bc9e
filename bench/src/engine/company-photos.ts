import { cutOutPortrait } from './group-case.ts'
import type { CutOutPortrait } from './group-case.ts'
import type { StageProbe } from './stage-probe.ts'

/**
 * Different portraits at random that can stand in a group, each cut out once.
 * @throws where the files have too few of them
 */
export function openPortraits(
  probe: StageProbe,
  files: readonly string[],
  random: () => number,
): (count: number) => Promise<CutOutPortrait[]> {
  const known = new Map<string, Promise<CutOutPortrait | undefined>>()
  return async (count) => {
    const picked: CutOutPortrait[] = []
    for (let tries = 0; tries < 200; tries++) {
      const file = files[Math.floor(random() * files.length)]!
      const found = known.get(file) ?? cutOutPortrait(probe, file)
      known.set(file, found)
      const portrait = await found
      if (portrait && !picked.includes(portrait)) picked.push(portrait)
      if (picked.length === count) return picked
    }
    throw new Error('The folders have too few portraits with both shoulders in the photo')
  }
}
