import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { commands } from './commands.js'
import { projectFolder } from './project-folder.js'
import { runsTypeScript } from './run-command.js'

const bootstrap = path.join(projectFolder, 'scripts', 'bootstrap.js')
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [bootstrap, ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  )

test('every npm script goes through the bootstrap, so that it works right after a clone', async () => {
  const text = await readFile(path.join(projectFolder, 'package.json'), 'utf8')
  const { scripts } = JSON.parse(text) as { scripts: Record<string, string> }
  const expected = Object.keys(commands).map((name) => [name, `node scripts/bootstrap.js ${name}`])
  expect(scripts).toEqual(Object.fromEntries(expected))
})

test('every command names a file that exists', () => {
  const missing = Object.values(commands).filter(
    ({ script }) => !existsSync(path.join(projectFolder, script)),
  )
  expect(missing).toEqual([])
})

test('the program is started, filled and looked after without the tools for tests', () => {
  const all = Object.entries(commands)
  const ofProgram = all.filter(([, { needs }]) => needs === 'program').map(([name]) => name)
  expect(ofProgram).toEqual(['start', 'admin', 'seed', 'selfie', 'prepack'])
  const compiled = all.filter(([, { keepsCompiled }]) => keepsCompiled === true)
  expect(compiled.map(([name]) => name)).toEqual(['start', 'dev', 'test', 'check'])
})

test.each(['strat', 'toString'])(
  '%s is reported as unknown with the known commands, without a stack',
  async (name) => {
    const { code, stderr } = await run(name)
    expect(code).toBe(1)
    expect(stderr).toMatch(`There is no command '${name}'; there are start, dev, `)
    expect(stderr).not.toMatch(/^ +at /m)
  },
)

test('TypeScript is run by Node 22 from 22.18 on, and by all from 24 on', () => {
  const versions = [
    '18.20.8',
    '20.19.5',
    '22.6.0',
    '22.17.9',
    '23.5.0',
    '22.18.0',
    '24.0.0',
    '25.1.0',
  ]
  expect(versions.filter(runsTypeScript)).toEqual(['22.18.0', '24.0.0', '25.1.0'])
})

test.each([
  ['process.exit(7)', 7],
  ["process.kill(process.pid, 'SIGKILL')", 137],
  ["process.kill(process.ppid, 'SIGTERM'); setTimeout(() => {}, 20_000)", 143],
])('a command whose Node does %s ends with %i', async (program, status) => {
  const { href } = pathToFileURL(path.join(projectFolder, 'scripts', 'run-command.js'))
  const words = JSON.stringify(['--eval', program])
  const starter = `import(${JSON.stringify(href)}).then((my) => my.runUntilEnd(process.execPath, ${words}))`
  const child = spawn(process.execPath, ['--eval', starter], { stdio: 'ignore' })
  expect(await once(child, 'exit')).toEqual([status, null])
})

test.for([
  ['test:fuzz', '--help', 0, /Usage: npm run test:fuzz/],
  ['test:fuzz', 'many', 2, /Usage: npm run test:fuzz/],
  ['test:faults', 'no such fault', 2, /There are:[^]*kill -9 of the api/],
  ['bench', 'no-such-measurement', 2, /There are: /],
  ['bench', ['server', '--secnods', '1'], 2, /Unknown option '--secnods'/],
] as const)('%s with %s answers with a sentence', async ([name, words, status, says]) => {
  const { code, stderr } = await run(name, ...[words].flat())
  expect(stderr).toMatch(says)
  expect(stderr).not.toMatch(/^ +at /m)
  expect(code).toBe(status)
})

test('what a command always says comes before what its caller adds', async () => {
  const { code, stdout } = await run('types', '--help')
  expect(stdout).toContain('BUILD OPTIONS')
  expect(code).toBe(0)
})
