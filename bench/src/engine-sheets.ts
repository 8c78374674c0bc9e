import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { lightGap } from '@starside/engine/compositor/relight/plan-relight.ts'
import { run as drawOneLight } from './draw-one-light.ts'
import { run as judgeGroups } from './engine-groups.ts'
import { run as judgePairs } from './engine-judge.ts'
import { listPhotos, openReader, randomPairs } from './engine/judge-people.ts'
import { openStageProbe } from './engine/stage-probe.ts'

const usage = `npm run bench -- engine-sheets <folder…> --stars <folder> [options]
  --pairs <number>   random pairs; the first sheet has the worst 48, the last one the best (96)
  --cases <number>   composed group photos, each with a star (24)
  --seed <number>    which of them (1)
  --to <folder>      where the sheets go (engine-sheets among temporary files)`

/** Among so many pairs the two whose lights are farthest apart show what moving light does. */
const lightPairs = 24

/**
 * Makes what a round of judging by eye looks at: sheets of the worst and the best pairs, of groups, and
 * of one star's light before and after.
 */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      stars: { type: 'string' },
      pairs: { type: 'string', default: '96' },
      cases: { type: 'string', default: '24' },
      seed: { type: 'string', default: '1' },
      to: { type: 'string', default: join(tmpdir(), 'engine-sheets') },
    },
  })
  const { stars, pairs, cases, seed } = values
  if (positionals.length === 0 || stars === undefined || !Number.isInteger(Number(seed))) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  const folder = resolve(values.to)
  await mkdir(folder, { recursive: true })
  const shared = [...positionals, '--stars', stars, '--seed', seed]
  await judgePairs([...shared, '--pairs', pairs, '--sheet', join(folder, 'pairs.jpg')])
  await judgeGroups([...shared, '--cases', cases, '--sheet', join(folder, 'groups.jpg')])
  const [user, star] = await farthestLights(positionals, stars, Number(seed))
  await drawOneLight([user, star, join(folder, 'light.jpg')])
  console.log(`\nThe light of ${star} before and after: ${join(folder, 'light.jpg')}`)
}

/** The two of random pairs whose fitted lights are farthest apart. */
async function farthestLights(
  folders: readonly string[],
  starFolder: string,
  seed: number,
): Promise<readonly [string, string]> {
  const [users, stars] = [await listPhotos(folders), await listPhotos([starFolder])]
  const probe = await openStageProbe()
  try {
    const read = openReader(probe)
    let farthest: { gap: number; pair: readonly [string, string] } | undefined
    for (const pair of randomPairs(users, stars, lightPairs, seed)) {
      const [user, star] = [await read(pair[0]), await read(pair[1])]
      if ('refusals' in user || 'refusals' in star) continue
      const gap = lightGap(user.reading.faceLight.coefficients, star.reading.faceLight.coefficients)
      if (!farthest || gap > farthest.gap) farthest = { gap, pair }
    }
    if (!farthest) throw new Error('The folders have no two photos that can be used')
    return farthest.pair
  } finally {
    await probe.close()
  }
}
