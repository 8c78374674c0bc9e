import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { placeSection } from './write-section.ts'

test('a section takes the place of its earlier self, and a new one comes last', () => {
  const page = placeSection('# Benchmarks\n', 'One', '## One\n\nfirst')
  const two = placeSection(page, 'Two', '## Two\n\nsecond')
  const again = placeSection(two, 'One', '## One\n\nthird')
  expect(again).toBe('# Benchmarks\n\n## One\n\nthird\n\n## Two\n\nsecond\n')
})

test('a measurement prints its section and leaves the page of benchmarks as it is', async () => {
  const page = new URL('../../../docs/benchmarks.md', import.meta.url)
  const before = await readFile(page, 'utf8')
  const command = fileURLToPath(new URL('../bench-command.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [
    command,
    'load',
    '--users',
    '1',
    '--seconds',
    '1',
  ])
  expect(stdout).toContain('## Many people at once')
  expect(await readFile(page, 'utf8')).toBe(before)
})

test('--quick with --write is refused, as too little is measured', async () => {
  const command = fileURLToPath(new URL('../bench-command.ts', import.meta.url))
  const run = promisify(execFile)(process.execPath, [command, 'all', '--quick', '--write'])
  await expect(run).rejects.toThrow(/--quick measures too little/)
})
