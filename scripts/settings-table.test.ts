import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from './project-folder.js'
import { settingsTable, unmatchedSettings } from './settings-table.ts'

test('every setting is explained, and nothing else is', () => {
  expect(unmatchedSettings()).toEqual([])
})

test('docs/operations.md shows the settings as they are; `node scripts/make-settings-table.ts` mends it', async () => {
  const page = await readFile(path.join(projectFolder, 'docs', 'operations.md'), 'utf8')
  const cells = (text: string) =>
    text
      .split('\n')
      .flatMap((line) => (line.startsWith('| `') ? [line.replaceAll(/ +/g, ' ')] : []))
  expect(cells(page)).toEqual(expect.arrayContaining(cells(settingsTable())))
})
