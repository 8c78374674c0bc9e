/** `npm run prepack`, of `npm pack`: pages, and into `dist/` the lockfile and a build's id. */
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buildWeb } from './build-web.ts'
import { readProject } from './tidy.ts'
import { projectFolder } from './project-folder.js'

await buildWeb()
const dist = path.join(projectFolder, 'dist')
await mkdir(dist, { recursive: true })
await copyFile(path.join(projectFolder, 'package-lock.json'), path.join(dist, 'package-lock.json'))
const hash = createHash('sha256')
for (const { path: file, text } of await readProject()) hash.update(`${file}\0${text}\0`)
const { version } = JSON.parse(
  await readFile(path.join(projectFolder, 'package.json'), 'utf8'),
) as { version: string }
await writeFile(path.join(dist, 'build-id'), `${version}-${hash.digest('hex').slice(0, 12)}\n`)
