import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from './child-environment.ts'
import { reservePort } from './reserve-port.ts'

const mainFile = fileURLToPath(new URL('../main.ts', import.meta.url))

export interface RunningProgram {
  url: string
  process: ChildProcess
  /** Everything it has printed so far. */
  output(): string
  /** Ends it as a crash of the machine's process would: nothing is cleaned up. */
  kill(): Promise<void>
  /** Ends it by SIGTERM and answers its exit status. */
  stop(): Promise<number | null>
}

/** Runs the real program, as `npm start` does, on a port of its own, and waits until it is ready. */
export async function runProgram(settings: Record<string, string>): Promise<RunningProgram> {
  const { port, release } = await reservePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [mainFile], {
    env: {
      ...childEnvironment,
      NODE_ENV: 'test',
      PORT: String(port),
      PUBLIC_URL: url,
      ENGINE_NICENESS: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)
  child.once('exit', () => {
    process.off('exit', killAtExit)
    release()
  })
  const printed: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => printed.push(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => printed.push(text))
  const output = () => printed.join('')
  await waitUntilReady(url, child, output)
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
    return child.exitCode
  }
  return {
    url,
    process: child,
    output,
    async kill() {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
  }
}

async function waitUntilReady(url: string, child: ChildProcess, output: () => string) {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the program ended at its start:\n${output()}`)
    const isReady = await fetch(`${url}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
