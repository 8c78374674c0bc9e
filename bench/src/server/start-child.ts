import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@starside/server/platform/db/embedded/running-server.ts'

/** A peer in a process of its own. */
export interface Child {
  url: string
  process: ChildProcess
  stop(): Promise<void>
}

/** Starts a server and waits until `path` answers. */
export async function startChild(options: {
  command: string
  args: (port: number) => string[] | Promise<string[]>
  env: (port: number) => NodeJS.ProcessEnv
  path: string
}): Promise<Child> {
  const port = await findFreePort()
  const child = spawn(options.command, await options.args(port), {
    env: options.env(port),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const killAtExit = () => child.kill()
  process.once('exit', killAtExit)
  child.once('exit', () => process.off('exit', killAtExit))
  const url = `http://127.0.0.1:${port}`
  const exit = once(child, 'exit')
  const answers = () =>
    fetch(url + options.path).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`${options.command} ended at its start`)
    await delay(20)
  }
  return {
    url,
    process: child,
    async stop() {
      child.kill()
      await exit
    },
  }
}

/** The bare Fastify routes. */
export function startBare(databaseUrl: string): Promise<Child> {
  const file = fileURLToPath(new URL('bare-server.ts', import.meta.url))
  return startChild({
    command: process.execPath,
    args: () => [file],
    env: (port) => ({
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      PORT: String(port),
    }),
    path: '/user/none',
  })
}
