import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createEngine } from '@starside/engine/engine.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadPresets } from '../../stars/presets.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { actCommands } from './act-commands.ts'
import { runWords } from '../../testing/call-command.ts'

const picture = fileURLToPath(new URL('../../../presets/mina-asakuri/picture.jpg', import.meta.url))
const noPicture = fileURLToPath(
  new URL('../../../presets/mina-asakuri/preset.json', import.meta.url),
)

let app: TestApp
let printed: string[]
beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(() => {
  printed = []
})
afterAll(() => app[Symbol.asyncDispose]())

async function run(name: string, words: string[]): Promise<number | undefined> {
  const { config, database, clock } = app.context
  const print = (line: string) => {
    printed.push(line)
  }
  const parts = { config, database, databaseUrl: app.databaseUrl, clock, print }
  return runWords(actCommands[name], parts, words)
}

const rights = ['--licence', 'CC BY 4.0', '--attribution', 'A Photographer']
const proof = ['--source', 'https://pictures.example/1', '--consent', 'A letter of May 3.']
const needed = ['--name', 'Nova', '--picture', picture, ...rights, ...proof, '--category', 'music']

test('a star that was added by command is cut out by the program, then published, hidden and retired', async () => {
  const lines = ['--line', 'Sings.', '--line-es', 'Canta.']
  expect(await run('preset add', [...needed, ...lines])).toBe(0)
  expect(printed.join('\n')).toContain("Nova ('nova') is added")
  const { database, presets } = app.context
  const state = async () =>
    database.selectFrom('stars').selectAll().where('id', '=', 'nova').executeTakeFirstOrThrow()
  await expect.poll(async () => (await state()).state).toBe('draft')
  expect(await state()).toMatchObject({
    name: 'Nova',
    line: { en: 'Sings.', es: 'Canta.' },
    consent_note: 'A letter of May 3.',
    created_by: 'command line',
    sample_count: 3,
  })
  const enter = (next: 'cutting' | 'draft') =>
    database.updateTable('stars').set({ state: next }).where('id', '=', 'nova').execute()
  await enter('cutting')
  expect(await run('preset publish', ['nova']), 'typed right after it was added').toBe(1)
  expect(printed.at(-1)).toBe('Nova is still being cut out. Try again in a moment.')
  await enter('draft')
  const isOffered = () => presets.find('nova') !== undefined
  expect(await run('preset publish', ['nova'])).toBe(0)
  await expect.poll(() => isOffered()).toBe(true)
  expect(await run('preset place', ['nova', '7', '--hidden'])).toBe(0)
  await expect.poll(() => isOffered()).toBe(false)
  expect(await run('preset place', ['nova', '7'])).toBe(0)
  await expect.poll(() => isOffered()).toBe(true)
  expect(await run('preset retire', ['nova', '--reason', 'over'])).toBe(0)
  await expect.poll(() => isOffered()).toBe(false)
  expect(await run('preset publish', ['nova'])).toBe(1)
  expect(printed.at(-1)).toBe('There is no such draft.')
})

test('a star that an earlier version added is still offered, with a picture as its thumbnail', async () => {
  const { dataFolder } = app.context.config
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
      tightCrop: false,
    })
    expect(await presets.readPhoto('old-star')).toMatchObject({ hasMatte: false })
    await writeFile(join(folder, 'preset.json'), JSON.stringify({ ...description, mirror: false }))
    const changed = await loadPresets(engine, dataFolder)
    expect(changed.find('old-star')).toEqual(presets.find('old-star'))
  } finally {
    await engine.close()
  }
  expect(await run('preset place', ['old-star', '3', '--hidden'])).toBe(0)
})

test.for([
  [
    'without rights and category',
    ['--name', 'N', '--picture', picture, '--attribution', 'A'],
    2,
    /--category: [^]*--licence: [^]*--consent: /,
  ],
  ['without a picture', ['--name', 'N'], 2, /--picture/],
  ['of no known category', [...needed, '--category', 'politics'], 2, /--category/],
  [
    'with a file that is no picture',
    [...needed, '--picture', noPicture],
    2,
    /--picture: .*can't read this file/,
  ],
] as const)('a star %s is refused with a reason', async ([, words, status, reason]) => {
  const count = async () =>
    (await app.context.database.selectFrom('stars').select('id').execute()).length
  const before = await count()
  expect(await run('preset add', [...words])).toBe(status)
  expect(printed.join('\n')).toMatch(reason)
  expect(await count()).toBe(before)
})

test('words that no command knows are refused', async () => {
  await expect(run('preset add', [...needed, '--sing'])).rejects.toThrow('--sing')
  expect(await run('preset place', ['nova', 'first'])).toBe(2)
  expect(await run('preset place', ['nobody', '1'])).toBe(1)
  expect(await run('preset retry', ['nobody'])).toBe(1)
})
