import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { reservePort } from '../../testing/reserve-port.ts'
import { runProgram } from '../../testing/run-program.ts'

const projectFolder = fileURLToPath(new URL('../../../../', import.meta.url))
const documentedFolder = '/srv/starside'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starside-runbook-'))
  // PostgreSQL doesn't run as root and must be able to get into its folder.
  await chmod(folder, 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

/** The commands of the first block under "Embedded database", with our folder for the documented. */
async function readCommands(): Promise<string[]> {
  const page = await readFile(join(projectFolder, 'docs/operate.md'), 'utf8')
  const block = /\*\*Embedded database\*\*[^]*?```sh\n([^]*?)```/.exec(page)?.[1] ?? ''
  return block
    .trim()
    .split('\n')
    .map((line) => line.replaceAll(documentedFolder, join(folder, 'starside')))
}

// It starts the program twice, the second time as `npm start` does.
test('the backup and restore of the manual, followed word for word, brings every credit back', async () => {
  const data = join(folder, 'starside', 'data')
  await mkdir(data, { recursive: true })
  const program = await runProgram({ DATA_DIR: data })
  const registered = await fetch(`${program.url}/api/auth?action=register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'a@b.example', password: 'a long secret', username: 'Anna' }),
  })
  expect(registered.ok).toBe(true)
  expect(await program.stop()).toBe(0)

  const commands = await readCommands()
  expect(commands.map((line) => line.split(/ +/).find((word) => !word.includes('=')))).toEqual(
    expect.arrayContaining(['tar', 'npm']),
  )
  const { port, release } = await reservePort()
  onTestFinished(release)
  const env = { ...process.env, PORT: String(port), NODE_ENV: 'test' }
  for (const command of commands) {
    if (command.includes('npm start')) await startAndStop(command, env, port)
    else {
      const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
        cwd: command.startsWith('tar') ? folder : projectFolder,
        env,
        encoding: 'utf8',
      })
      expect(`${command}: ${status} ${stderr}`).toMatch(/: 0 /)
      if (command.includes('audit')) {
        expect(stdout).toMatch(/1 ledger entries, 1 accounts/)
        expect(stdout).toMatch(/The books are sound\./)
      }
    }
  }
})

async function startAndStop(command: string, env: NodeJS.ProcessEnv, port: number): Promise<void> {
  const child = spawn('bash', ['-c', `exec ${command.replace(/^(DATA_DIR=\S+) /, 'env $1 ')}`], {
    cwd: projectFolder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  for await (const text of child.stdout.setEncoding('utf8')) {
    if (String(text).includes('Starside is ready')) break
  }
  const signIn = await fetch(`http://127.0.0.1:${port}/api/auth?action=login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'a@b.example', password: 'a long secret' }),
  })
  expect(signIn.status).toBe(200)
  child.kill('SIGTERM')
  await ended
}
