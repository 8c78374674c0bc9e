import { readFile } from 'node:fs/promises'
import { readPersonPhoto } from '@starside/server/testing/test-photo.ts'
import { medianTurn, runChild } from './engine/run-child.ts'
import { table } from './page/write-section.ts'
import type { Section } from './page/write-section.ts'
import { readNumbers } from './read-numbers.ts'
import { makeSelfie, packSelfieForm } from './server/api-client.ts'
import { readTree } from './server/process-tree.ts'
import { makePeople, openBenchEnvironment } from './server/bench-environment.ts'

/** `npm run bench -- selfie-cost [--runs N]`: CPU of a selfie, from the form to the stored picture. */
export async function run(args: string[]): Promise<Section> {
  const { runs } = readNumbers(args, { runs: 12 })
  const whole = await costThroughHttp(runs)
  const engine = await costOfEngine(runs)
  const seconds = (value: number) => `${value.toFixed(2)} s`
  return {
    title: 'Cost of a selfie',
    lines: [
      ...table(
        ['What', 'CPU', 'Wall', 'CPU against the engine alone'],
        [
          [
            'The whole program: HTTP, looking at the photos, engine, storing, PostgreSQL',
            seconds(whole.cpuSeconds),
            seconds(whole.wallSeconds),
            (whole.cpuSeconds / engine.cpuSeconds).toFixed(2),
          ],
          [
            'The engine alone with the same photos',
            seconds(engine.cpuSeconds),
            seconds(engine.wallSeconds),
            '1.00',
          ],
        ],
      ),
      '',
      `Of ${runs} selfies one after the other, the first left out: it loads the models.`,
    ],
  }
}

async function costThroughHttp(runs: number) {
  await using environment = await openBenchEnvironment({ ROLE: 'all' })
  const [person] = await makePeople(environment.pool, { count: 1, credits: runs + 1 })
  const form = await packSelfieForm()
  const makeOne = () => makeSelfie(environment.client, person?.token ?? '', form)
  await makeOne()
  const before = await readTree(process.pid, false)
  const startedAt = performance.now()
  for (let made = 0; made < runs; made += 1) await makeOne()
  const wallSeconds = (performance.now() - startedAt) / 1_000 / runs
  const after = await readTree(process.pid, false)
  return { cpuSeconds: (after.cpuSeconds - before.cpuSeconds) / runs, wallSeconds }
}

async function costOfEngine(runs: number) {
  const preset = new URL('../../server/presets/elena-vassandri/cutout.avif', import.meta.url)
  const photos = [await readPersonPhoto(), await readFile(preset)]
  const { turns } = await runChild({ job: 'selfies', photos, rounds: runs + 1 })
  const { wallMs, cpuMs } = medianTurn(turns.selfie.slice(1))
  return { cpuSeconds: cpuMs / 1_000, wallSeconds: wallMs / 1_000 }
}
