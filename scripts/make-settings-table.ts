/** Writes the manual's table of settings and `.env.example` anew. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { projectFolder } from './project-folder.js'
import { exampleEnvironment, withSettingsTable } from './settings-table.ts'

const page = path.join(projectFolder, 'docs', 'operations', 'configure.md')
await writeFile(page, withSettingsTable(await readFile(page, 'utf8')))
await writeFile(path.join(projectFolder, '.env.example'), exampleEnvironment())
