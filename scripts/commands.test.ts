import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { commands } from './commands.js'
import { projectFolder } from './project-folder.js'

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

test('an unknown command is reported with the known ones, without a stack', async () => {
  const { code, stderr } = await run('strat')
  expect(code).toBe(1)
  expect(stderr).toMatch(/There is no command 'strat'; there are start, dev, /)
  expect(stderr).not.toMatch(/^ +at /m)
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
