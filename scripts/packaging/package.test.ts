import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '@starside/server/platform/db/embedded/running-server.ts'
import { projectFolder } from '../project-folder.js'
import { downloadHistory, makeSelfie, newVisitor, signIn, waitUntilReady } from './testing/visit.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'starside-package-'))
  // PostgreSQL doesn't run as root and must be able to get into its folder.
  await chmod(folder, 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

test('the package runs in an empty folder, makes a selfie, and has it at the next start', async () => {
  await promisify(execFile)('npm', ['pack', '--pack-destination', folder], { cwd: projectFolder })
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  const home = path.join(folder, 'home')
  await mkdir(home)
  const visitor = newVisitor()
  const first = await start(home, path.join('..', tarball))
  const picture = await makeSelfie(first.url, await signIn(first.url, 'register', visitor))
  expect(await (await fetch(first.url)).text()).toContain('<html')
  await first.stop()
  expect((await readdir(home)).toSorted()).toEqual(['.starside', 'data'])

  const second = await start(home, path.join('..', tarball))
  const token = await signIn(second.url, 'login', visitor)
  expect(await downloadHistory(second.url, token)).toEqual([picture])
  await second.stop()
})

/** Starts the package as a person would. */
async function start(home: string, tarball: string) {
  const { NODE_ENV: _, ...environment } = process.env
  const port = await findFreePort()
  const child = spawn('npx', ['--yes', tarball], {
    cwd: home,
    env: { ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const ended = once(child, 'exit')
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  const url = `http://127.0.0.1:${port}`
  if (!(await waitUntilReady(url, () => child.exitCode !== null))) throw new Error(printed)
  return {
    url,
    async stop() {
      // As Ctrl-C of a terminal does: to the whole group.
      process.kill(-(child.pid ?? 0), 'SIGINT')
      await ended
    },
  }
}
