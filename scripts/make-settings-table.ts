/** Writes the manual's tables of settings and of image models, and `.env.example`, anew. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { withModelsTable } from './models-table.ts'
import { projectFolder } from './project-folder.js'
import { exampleEnvironment, withSettingsTable } from './settings-table.ts'

const page = path.join(projectFolder, 'docs', 'configure.md')
await writeFile(page, withSettingsTable(await readFile(page, 'utf8')))
const providers = path.join(projectFolder, 'docs', 'providers.md')
await writeFile(providers, withModelsTable(await readFile(providers, 'utf8')))
await writeFile(path.join(projectFolder, '.env.example'), exampleEnvironment())
