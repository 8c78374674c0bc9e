import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { childEnvironment } from '../../testing/child-environment.ts'

const module = new URL('end-on-signals.ts', import.meta.url).href

/** Starts a command that runs `code`, and waits until it has printed its first line. */
async function start(code: string) {
  const script = `await import(${JSON.stringify(module)}); ${code}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: childEnvironment,
  })
  await once(child.stdout, 'data')
  return child
}

const waits =
  "process.on('exit', () => console.error('ended')); console.log('runs'); setInterval(() => {}, 1e6)"

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends a command with status %i, after what it does at its end',
  async (signal, status) => {
    const child = await start(waits)
    child.kill(signal)
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    expect([said, code]).toEqual(['ended\n', status])
  },
)

test('a command that handles a signal itself ends in its own way', async () => {
  const child = await start(`process.on('SIGTERM', () => process.exit(7)); ${waits}`)
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([7, null])
})

test('a reader that leaves ends a command at once and without a word; any other failure is told', async () => {
  const left = await start(`${waits}; setInterval(() => console.log('more'), 1)`)
  left.stdout.destroy()
  const [said, [code]] = await Promise.all([text(left.stderr), once(left, 'close')])
  expect([said, code]).toEqual(['ended\n', 0])
  const fail = "process.stdout.emit('error', new Error('the disk is full'))"
  const failed = await start(`${waits}; setTimeout(() => ${fail}, 1)`)
  expect(await text(failed.stderr)).toContain('the disk is full')
})
