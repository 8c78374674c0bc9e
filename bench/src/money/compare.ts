import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median } from '../page/figures.ts'
import { clients } from './people.ts'
import type { Bench } from './open-bench.ts'

export interface Settings {
  /** Seconds of one round. */
  seconds: number
  rounds: number
  /** Entries in the ledger for the last figure. */
  ledgerRows: number
}

/** One comparison: transactions a second of both, and their ratio. */
export interface MoneyFigure {
  name: string
  perSecond: number
  pgbenchPerSecond: number
  ratio: number
  /** What the ratio should reach, where that was set. */
  goal: string
}

interface Comparison {
  name: string
  goal: string
  script: string
  callers: number
  act: () => Promise<void>
}

/** Both in turns, so that what else the machine does hits both; the ratio of the medians. */
export async function compare(
  bench: Bench,
  settings: Settings,
  comparison: Comparison,
): Promise<MoneyFigure> {
  const own: number[] = []
  const reference: number[] = []
  for (let round = 0; round < settings.rounds; round += 1) {
    reference.push(await runPgbench(bench, comparison.script, settings.seconds))
    own.push(await runCallers(comparison.callers, settings.seconds, comparison.act))
  }
  const [perSecond, pgbenchPerSecond] = [median(own), median(reference)]
  const { name, goal } = comparison
  return { name, goal, perSecond, pgbenchPerSecond, ratio: perSecond / pgbenchPerSecond }
}

async function runCallers(
  callers: number,
  seconds: number,
  act: () => Promise<void>,
): Promise<number> {
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < endsAt) {
        await act()
        done += 1
      }
    }),
  )
  return (done * 1000) / (performance.now() - startedAt)
}

/** Transactions a second of pgbench, prepared, with as many clients, without its connection time. */
async function runPgbench(bench: Bench, script: string, seconds: number): Promise<number> {
  const file = join(bench.folder, 'script.sql')
  await writeFile(file, script)
  const url = new URL(bench.url)
  const { stdout } = await promisify(execFile)(
    'pgbench',
    [
      '--no-vacuum',
      '--protocol=prepared',
      `--client=${clients}`,
      '--jobs=2',
      `--time=${seconds}`,
      `--file=${file}`,
    ],
    {
      env: {
        PATH: process.env['PATH'],
        PGHOST: url.hostname,
        PGPORT: url.port,
        PGUSER: decodeURIComponent(url.username),
        PGPASSWORD: decodeURIComponent(url.password),
        PGDATABASE: url.pathname.slice(1),
      },
    },
  ).catch((error: unknown) => {
    const { message } = error as Error
    const reason = message.split('\n').slice(0, 5).join('\n')
    throw new Error(`pgbench failed (on Debian it comes with postgresql-15): ${reason}`)
  })
  const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1]
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  if (!(perSecond > 0) || (failed !== undefined && failed !== '0')) {
    throw new Error(`pgbench gave no figure:\n${stdout}`)
  }
  return perSecond
}
