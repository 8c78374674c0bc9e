#!/usr/bin/env node
// What `npx ./starside-VERSION.tgz` runs. Node runs no TypeScript inside of node_modules, and npm no
// lockfile of a dependency, so that the program is copied beside the data, where it is a project of its own.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const packageFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const folder = process.cwd()

/** Copies the program, whole or not at all, unless this build is there already. */
function placeProgram() {
  const build = fs.readFileSync(path.join(packageFolder, 'dist', 'build-id'), 'utf8').trim()
  const target = path.join(folder, '.starside', build)
  if (fs.existsSync(target)) return target
  const draft = `${target}.${process.pid}`
  fs.cpSync(packageFolder, draft, {
    recursive: true,
    filter: (source) => path.relative(packageFolder, source) !== 'node_modules',
  })
  fs.renameSync(
    path.join(draft, 'dist', 'package-lock.json'),
    path.join(draft, 'package-lock.json'),
  )
  fs.renameSync(draft, target)
  return target
}

const [name = 'start', ...args] = process.argv.slice(2)
const program = placeProgram()
const child = spawn(
  process.execPath,
  [path.join(program, 'scripts', 'bootstrap.js'), name, ...args],
  {
    stdio: 'inherit',
    env: { ...process.env, DATA_DIR: path.resolve(process.env.DATA_DIR ?? 'data') },
  },
)
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => child.kill(signal))
}
child.once('exit', (code, signal) => {
  process.exit(code ?? 128 + (signal === null ? 0 : os.constants.signals[signal]))
})
