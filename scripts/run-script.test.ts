import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isAlive } from '../server/src/platform/db/embedded/postmaster-file.ts'
import { projectFolder } from './project-folder.js'

test('a command that a signal ends takes the database it had started with it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'starside-signal-'))
  await chmod(folder, 0o755)
  const script = 'server/src/testing/hold-database.ts'
  const child = spawn(
    process.execPath,
    ['scripts/run-script.js', path.join(projectFolder, script), folder],
    { cwd: projectFolder, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { pid } = JSON.parse(line.toString()) as { pid: number }
    expect(isAlive(pid)).toBe(true)
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    expect(code).toBe(143)
    await expect.poll(() => isAlive(pid)).toBe(false)
  } finally {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})
