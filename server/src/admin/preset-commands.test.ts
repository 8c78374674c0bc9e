import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import type { AdminParts } from './admin-command.ts'
import { presetCommands } from './preset-commands.ts'

const picture = fileURLToPath(new URL('../../presets/olmira/picture.jpg', import.meta.url))
const description = fileURLToPath(new URL('../../presets/olmira/preset.json', import.meta.url))

let dataFolder: string
let printed: string[]
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'starside-presets-'))
  printed = []
})
afterEach(() => rm(dataFolder, { recursive: true, force: true }))

async function run(name: string, words: string[]): Promise<number | undefined> {
  const config = readConfig({ DATA_DIR: dataFolder })
  const parts = { config, print: (line: string) => printed.push(line) } as unknown as AdminParts
  return presetCommands[name]?.run(parts, words)
}

const rights = ['--licence', 'CC BY 4.0', '--attribution', 'A Photographer']

test('a star with a licence and an attribution is added, listed and removed', async () => {
  expect(await run('preset add', ['nova', '--name', 'Nova', '--picture', picture, ...rights])).toBe(
    0,
  )
  await run('preset list', [])
  expect(printed.join('\n')).toMatch(/nova +Nova +CC BY 4\.0 +A Photographer/)
  expect(await run('preset remove', ['nova'])).toBe(0)
  printed = []
  await run('preset list', [])
  expect(printed.join('\n')).not.toContain('Nova')
})

test.for([
  ['without a licence', ['nova', '--name', 'Nova', '--picture', picture], 2],
  ['with an id that is a path', ['../nova', '--name', 'N', '--picture', picture, ...rights], 2],
  [
    'with a file that is no picture',
    ['nova', '--name', 'N', '--picture', description, ...rights],
    1,
  ],
] as const)('a star %s is refused with a reason', async ([, words, status]) => {
  expect(await run('preset add', [...words])).toBe(status)
  expect(printed.at(-1)).toMatch(/\w.*\.$/)
})
