import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createEngine } from '@starside/engine/engine.ts'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { loadPresets, presetFileNames } from '../generation/presets.ts'
import type { AdminParts } from './admin-command.ts'
import { presetCommands } from './preset-commands.ts'

const picture = fileURLToPath(new URL('../../presets/mina-asakuri/picture.jpg', import.meta.url))
const noPicture = fileURLToPath(new URL('../../presets/mina-asakuri/preset.json', import.meta.url))

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
const needed = ['--name', 'Nova', '--picture', picture, ...rights, '--category', 'music']

test('a star is cut out of its picture, and what was made is named', async () => {
  expect(
    await run('preset add', ['nova', ...needed, '--line', 'Sings.', '--line-es', 'Canta.']),
  ).toBe(0)
  const folder = join(dataFolder, 'presets', 'nova')
  for (const name of Object.values(presetFileNames)) {
    expect(printed.join('\n')).toContain(join(folder, name))
  }
  const { data, info } = await sharp(join(folder, 'cutout.avif'))
    .extractChannel(3)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const matteAt = (x: number, y: number) =>
    data[Math.floor(y * info.height) * info.width + Math.floor(x * info.width)]
  expect([matteAt(0.02, 0.02), matteAt(0.98, 0.02), matteAt(0.5, 0.5)]).toEqual([0, 0, 255])
  const description: unknown = JSON.parse(await readFile(join(folder, 'preset.json'), 'utf8'))
  expect(description).toEqual({
    name: 'Nova',
    category: 'music',
    line: { en: 'Sings.', es: 'Canta.' },
    licence: 'CC BY 4.0',
    attribution: 'A Photographer',
    aiGenerated: false,
  })
})

test('a star that was added is listed until it is removed', async () => {
  const folder = join(dataFolder, 'presets', 'nova')
  await mkdir(folder, { recursive: true })
  const description = { name: 'Nova', category: 'music', licence: 'CC BY 4.0', attribution: 'Kim' }
  await writeFile(join(folder, 'preset.json'), JSON.stringify(description))
  await run('preset list', [])
  expect(printed.join('\n')).toMatch(/nova +Nova +music +CC BY 4\.0 +Kim/)
  expect(await run('preset remove', ['nova'])).toBe(0)
  printed = []
  await run('preset list', [])
  expect(printed.join('\n')).not.toContain('Nova')
})

test('a star that an earlier version added is still offered, with a picture as its thumbnail', async () => {
  const folder = join(dataFolder, 'presets', 'old-star')
  await mkdir(folder, { recursive: true })
  await copyFile(picture, join(folder, 'picture.jpg'))
  const description = { name: 'Old Star', licence: 'CC0', attribution: 'Somebody' }
  await writeFile(join(folder, 'preset.json'), JSON.stringify(description))
  const engine = createEngine()
  try {
    const presets = await loadPresets(engine, dataFolder)
    expect(presets.find('old-star')).toEqual({
      ...description,
      id: 'old-star',
      image: '/api/presets/old-star.jpg',
      thumbnail: { avif: null, jpeg: '/api/presets/old-star.jpg' },
      category: 'other',
      line: null,
      aiGenerated: false,
    })
    expect(await presets.readPhoto('old-star')).toMatchObject({ hasMatte: false })
  } finally {
    await engine.close()
  }
})

test.for([
  [
    'without licence and category',
    ['nova', '--name', 'N', '--picture', picture, '--attribution', 'A'],
    2,
    /--licence, --category/,
  ],
  ['with an id that is a path', ['../nova', ...needed], 2, /lower-case/],
  ['with the id of a star of an earlier version', ['zuvia', ...needed], 2, /earlier version/],
  ['of no known category', ['nova', ...needed, '--category', 'politics'], 2, /screen, music/],
  ['with an option that nobody knows', ['nova', ...needed, '--sing'], 2, /--sing/],
  [
    'with a file that is no picture',
    ['nova', ...needed, '--picture', noPicture],
    1,
    /photo_format/,
  ],
  [
    'with a picture that is not there',
    ['nova', ...needed, '--picture', 'nowhere.jpg'],
    1,
    /nowhere\.jpg/,
  ],
] as const)('a star %s is refused with a reason', async ([, words, status, reason]) => {
  expect(await run('preset add', [...words])).toBe(status)
  expect(printed.at(-1)).toMatch(reason)
  await expect(readdir(join(dataFolder, 'presets'))).rejects.toThrow('ENOENT')
})
