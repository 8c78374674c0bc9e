import { createHash } from 'node:crypto'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { withFileMutex } from './file-mutex.js'
import { projectFolder } from './project-folder.js'
import { runNpm } from './run-npm.js'

const output = path.join(projectFolder, 'web', 'dist')
const stampFile = path.join(output, '.sources')
/** Everything the built pages depend on. */
const sources = ['web', 'contract/src', 'package-lock.json']

/** Builds `web/dist`, with a note of the sources in it; does nothing where these are unchanged. */
export async function buildWeb(): Promise<void> {
  const wanted = await hashSources()
  if (await isBuiltFrom(wanted)) return
  await withFileMutex(async () => {
    if (await isBuiltFrom(wanted)) return
    console.log('Building the web app…')
    const exitCode = await runNpm(['run', 'build', '--workspace=web'], {
      silent: true,
      // Vite would take ours, and then the pages hold what is for development.
      env: { NODE_ENV: 'production' },
    })
    if (exitCode !== 0) throw new Error('The web app could not be built; the reason is above.')
    await writeFile(stampFile, wanted)
  })
}

async function isBuiltFrom(wanted: string): Promise<boolean> {
  return (await readFile(stampFile, 'utf8').catch(() => '')) === wanted
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of await listFiles(source)) {
      const content = await readFile(path.join(projectFolder, file))
      hash.update(`${file}\0${content.length}\0`).update(content)
    }
  }
  return hash.digest('hex')
}

/** The files of a folder, or the file itself, in a fixed order, without tests and outputs. */
async function listFiles(source: string): Promise<string[]> {
  const entries = await readdir(path.join(projectFolder, source), { withFileTypes: true }).catch(
    () => undefined,
  )
  if (entries === undefined) return [source]
  const files: string[] = []
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (['dist', 'node_modules'].includes(entry.name) || /\.test\.tsx?$/u.test(entry.name)) continue
    const file = `${source}/${entry.name}`
    files.push(...(entry.isDirectory() ? await listFiles(file) : [file]))
  }
  return files
}
