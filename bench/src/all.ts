import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { SettingsError } from '@starside/server/platform/settings/settings-error.ts'

interface Part {
  name: string
  args?: string[]
  /** With `--quick`, in the place of `args`. */
  quick?: string[]
}

const parts: readonly Part[] = [
  { name: 'server', quick: ['--seconds', '1'] },
  { name: 'start' },
  { name: 'selfie-cost', quick: ['--runs', '3'] },
  { name: 'load', args: ['--seconds', '600'], quick: ['--users', '50', '--seconds', '20'] },
  { name: 'events', quick: ['--guests', '5', '--per-hour', '1200'] },
  { name: 'growth', quick: ['--rows', '20000', '--seconds', '5'] },
  { name: 'money', quick: ['--seconds', '1', '--rounds', '1', '--ledger-rows', '20000'] },
  { name: 'engine-speed', quick: ['--runs', '2'] },
  { name: 'engine-variations', quick: ['--rounds', '2'] },
  { name: 'backup', quick: ['--rows', '20000', '--pictures', '20'] },
  { name: 'invisible-mark', quick: ['--synthetic', '10'] },
  { name: 'web', quick: ['--runs', '1'] },
]

/**
 * `npm run bench` or `npm run bench -- all [--quick]`: every measurement, in about an hour; with
 * `--quick` in ten minutes, to see that all work. With `writes` into the page of benchmarks.
 */
export async function run(args: string[], { writes }: { writes: boolean }): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { quick: { type: 'boolean', default: false } },
  })
  if (values.quick && writes) {
    throw new SettingsError('--quick measures too little to be written; leave --write out.')
  }
  const failed: string[] = []
  for (const part of parts) {
    console.log(`\n— ${part.name} —`)
    const given = (values.quick ? (part.quick ?? part.args) : part.args) ?? []
    const status = await runPart(part.name, [...given, ...(writes ? ['--write'] : [])])
    if (status !== 0) failed.push(part.name)
  }
  if (failed.length === 0) return
  console.error(`Failed: ${failed.join(', ')}`)
  process.exitCode = 1
}

/** In a process of its own, so that none inherits the other's memory. */
async function runPart(name: string, args: readonly string[]): Promise<number | null> {
  const runScript = fileURLToPath(new URL('../../scripts/run-script.js', import.meta.url))
  const command = fileURLToPath(new URL('bench-command.ts', import.meta.url))
  const child = spawn(process.execPath, [runScript, command, name, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const killAtExit = () => child.kill('SIGTERM')
  process.once('exit', killAtExit)
  const [status] = (await once(child, 'close')) as [number | null]
  process.off('exit', killAtExit)
  return status
}
