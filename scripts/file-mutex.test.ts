import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { withFileMutex } from './file-mutex.js'
import { projectFolder } from './project-folder.js'

const lockModule = pathToFileURL(path.join(projectFolder, 'scripts', 'file-mutex.js')).href

/** A program that writes when it enters and leaves its turn. */
function acquireMutex(lockFile: string, log: string, seconds: number) {
  const program = `
    import { appendFileSync } from 'node:fs'
    import { setTimeout as delay } from 'node:timers/promises'
    import { withFileMutex } from ${JSON.stringify(lockModule)}
    await withFileMutex(async () => {
      appendFileSync(${JSON.stringify(log)}, 'in ')
      await delay(${seconds * 1000})
      appendFileSync(${JSON.stringify(log)}, 'out ')
    }, ${JSON.stringify(lockFile)})`
  return spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'ignore' })
}

async function inFolder(act: (lockFile: string, log: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'starside-turns-'))
  try {
    const log = path.join(folder, 'log')
    await writeFile(log, '')
    await act(path.join(folder, 'cache', 'preparing.pid'), log)
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('programs that want to install at once do it one after the other', async () => {
  await inFolder(async (lockFile, log) => {
    const programs = [1, 2, 3].map(() => acquireMutex(lockFile, log, 0.2))
    await Promise.all(programs.map(async (program) => once(program, 'exit')))
    expect(await readFile(log, 'utf8')).toBe('in out in out in out ')
  })
})

test('the mutex of a step that failed is free at once, and its error is the caller’s', async () => {
  await inFolder(async (lockFile) => {
    const failing = withFileMutex(() => Promise.reject(new Error('no room')), lockFile)
    await expect(failing).rejects.toThrow('no room')
    await expect(access(lockFile)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

test('the mutex of a killed program is free for the next', async () => {
  await inFolder(async (lockFile, log) => {
    const killed = acquireMutex(lockFile, log, 60)
    while (!(await readFile(log, 'utf8')).includes('in')) await delay(10)
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    await once(acquireMutex(lockFile, log, 0), 'exit')
    expect(await readFile(log, 'utf8')).toBe('in in out ')
  })
})

test('a mutex that was left without a number is believed for seconds, and nothing of it stays', async () => {
  await inFolder(async (lockFile, log) => {
    await mkdir(path.dirname(lockFile))
    await writeFile(lockFile, '')
    const waiting = acquireMutex(lockFile, log, 0)
    const other = path.join(path.dirname(lockFile), 'other.pid')
    await writeFile(other, '')
    await utimes(other, new Date(), new Date(Date.now() - 6_000))
    expect(await withFileMutex(() => Promise.resolve('done'), other)).toBe('done')
    expect(await readFile(log, 'utf8')).toBe('')
    waiting.kill('SIGKILL')
    await once(waiting, 'exit')
    expect(await readdir(path.dirname(lockFile))).toEqual([path.basename(lockFile)])
  })
})
