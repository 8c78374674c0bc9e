import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { runProgram } from '@starside/server/testing/run-program.ts'
import { median } from './page/figures.ts'
import { table } from './page/write-section.ts'
import type { Section } from './page/write-section.ts'

const rounds = 5

/** `npm run bench -- start`: from the command to the first answer, against Node's own start. */
export async function run(): Promise<Section> {
  const first: number[] = []
  const later: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'starside-start-'))
    // PostgreSQL doesn't run as root and must be able to get into its folder.
    await chmod(folder, 0o711)
    bare.push(timeBareStart())
    first.push(await timeStart(folder))
    later.push(await timeStart(folder))
    await rm(folder, { recursive: true, force: true })
  }
  const bareMs = median(bare)
  const row = (what: string, ms: number) => [
    what,
    `${(ms / 1_000).toFixed(2)} s`,
    (ms / bareMs).toFixed(0),
  ]
  return {
    title: 'Starting',
    lines: [
      ...table(
        ['What', 'Median of five', 'Times the bare start'],
        [
          row('First start: makes the embedded PostgreSQL, migrates, is ready', median(first)),
          row('Later start: the embedded PostgreSQL and the program', median(later)),
          row('Node alone, an empty script', bareMs),
        ],
      ),
      '',
      'Ready means that `/api/health/ready` answers 200. Everything runs in one program: API, worker, the',
      'test payment gateway; the engine loads its models when the first photo comes.',
    ],
  }
}

function timeBareStart(): number {
  const startedAt = performance.now()
  const { status } = spawnSync(process.execPath, ['--eval', ''])
  if (status !== 0) throw new Error('Node did not start')
  return performance.now() - startedAt
}

/** Milliseconds until the program is ready on this data folder. */
async function timeStart(dataFolder: string): Promise<number> {
  const startedAt = performance.now()
  const program = await runProgram({
    NODE_ENV: 'production',
    PAYMENT_PROVIDER: 'sandbox',
    LOG_LEVEL: 'warn',
    DATA_DIR: path.join(dataFolder, 'data'),
    // As `npm start` sets it; the first start finds it empty.
    NODE_COMPILE_CACHE: path.join(dataFolder, 'compiled'),
  })
  const ms = performance.now() - startedAt
  await program.stop()
  return ms
}
