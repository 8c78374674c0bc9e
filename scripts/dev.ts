/** `npm run dev`: Vite, which updates pages in place, and the program, restarted at each change. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { findFreePort } from '../server/src/platform/db/embedded/running-server.ts'
import { projectFolder } from './project-folder.js'

const webPort = process.env['PORT'] ?? '3000'
const publicUrl = process.env['PUBLIC_URL'] ?? `http://localhost:${webPort}`
const apiPort = String(await findFreePort())
const watched = [
  'server/src',
  'server/migrations',
  'engine/src',
  'provenance/src',
  'contract/src',
  'sandbox/src',
]

const api = run(
  [
    ...watched.map((folder) => `--watch-path=${path.join(projectFolder, folder)}`),
    '--watch-preserve-output',
    path.join(projectFolder, 'server', 'src', 'main.ts'),
  ],
  { PORT: apiPort, PUBLIC_URL: publicUrl },
)
const web = run(
  [
    path.join(projectFolder, 'node_modules', 'vite', 'bin', 'vite.js'),
    '--clearScreen',
    'false',
    '--logLevel',
    'warn',
  ],
  { WEB_PORT: webPort, API_URL: `http://127.0.0.1:${apiPort}` },
  path.join(projectFolder, 'web'),
)

const children = [api, web]
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, endAll)
// When one of the two ends by itself, the other alone is of no use.
await Promise.race(children.map(async (child) => once(child, 'exit')))
endAll()
await Promise.all(children.map(ended))
process.exit(api.exitCode === null || api.exitCode > 128 ? 0 : api.exitCode)

function run(args: string[], settings: Record<string, string>, cwd = projectFolder): ChildProcess {
  return spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

function endAll(): void {
  for (const child of children) child.kill('SIGTERM')
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
