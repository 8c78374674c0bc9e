import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import settingTexts from '../server/src/settings/setting-texts.json' with { type: 'json' }
import { modelsTable } from './models-table.ts'
import { projectFolder } from './project-folder.js'
import { exampleEnvironment, listSettings, settingsTable } from './settings-table.ts'

const read = (file: string) => readFile(path.join(projectFolder, file), 'utf8')

test('every setting says what it is for', () => {
  expect(listSettings().filter(({ description }) => description === '')).toEqual([])
  expect(Object.keys(settingTexts)).toEqual(listSettings().map(({ name }) => name))
})

test('the manual shows the settings as they are; `node scripts/make-settings-table.ts` mends it', async () => {
  const cells = (text: string) =>
    text
      .split('\n')
      .flatMap((line) => (line.startsWith('| `') ? [line.replaceAll(/ +/g, ' ')] : []))
  expect(cells(await read('docs/configure.md'))).toEqual(
    expect.arrayContaining(cells(settingsTable())),
  )
})

test('the manual lists the image models as they are; `node scripts/make-settings-table.ts` mends it', async () => {
  const cells = (text: string) =>
    text
      .split('\n')
      .flatMap((line) => (line.startsWith('| `') ? [line.replaceAll(/ +/g, ' ')] : []))
  expect(cells(await read('docs/providers.md'))).toEqual(
    expect.arrayContaining(cells(modelsTable())),
  )
})

test('.env.example shows the settings as they are; `node scripts/make-settings-table.ts` mends it', async () => {
  expect(await read('.env.example')).toBe(exampleEnvironment())
})
