/** Writes the manual's tables of settings and of image models, and `.env.example`, anew. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { modelsTable } from './models-table.ts'
import { projectFolder } from './project-folder.js'
import { exampleEnvironment, settingsTable } from './settings-table.ts'

/** Between the comments in which a page says that its table is made, and where that ends. */
async function placeTable(page: string, table: string): Promise<void> {
  const file = path.join(projectFolder, 'docs', page)
  const text = await readFile(file, 'utf8')
  const place =
    /(<!-- .* is made by `node scripts\/make-settings-table\.ts`\. -->)[\s\S]*?(<!-- End of)/u
  if (!place.test(text)) throw new Error(`docs/${page} has no such table`)
  await writeFile(
    file,
    text.replace(place, (_all, start, end) => `${start}\n\n${table}\n\n${end}`),
  )
}

await placeTable('configure.md', settingsTable())
await placeTable('providers.md', modelsTable())
await writeFile(path.join(projectFolder, '.env.example'), exampleEnvironment())
