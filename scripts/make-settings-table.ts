/** Writes the table of settings in `docs/operations.md` anew. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { projectFolder } from './project-folder.js'
import { withSettingsTable } from './settings-table.ts'

const file = path.join(projectFolder, 'docs', 'operations.md')
await writeFile(file, withSettingsTable(await readFile(file, 'utf8')))
