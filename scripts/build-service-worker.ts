/** The build's step after the pages: `service-worker.js`, with all files' names, new each time. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installedApp } from '@starside/contract/installed-app.ts'
import { build } from 'vite'

const root = join(import.meta.dirname, '..', 'web')
const dist = join(root, 'dist')

/** What only some people need is fetched when they do: the HEIC decoder alone has 2 MB. */
const leftOut = /^heic-to/u
const assets = (await readdir(join(dist, 'assets')))
  .filter((name) => /\.(?:js|css|woff2)$/u.test(name) && !leftOut.test(name))
  .toSorted()
const shellFiles = [...assets.map((name) => `/assets/${name}`), '/favicon.svg']

const hash = createHash('sha256').update(shellFiles.join('\n'))
for (const file of [installedApp.offlinePage, '/favicon.svg']) {
  hash.update(await readFile(join(dist, file)))
}

await build({
  configFile: false,
  root,
  publicDir: false,
  logLevel: 'warn',
  define: {
    SHELL_FILES: JSON.stringify(shellFiles),
    BUILD_ID: JSON.stringify(hash.digest('hex').slice(0, 16)),
  },
  build: {
    target: 'es2023',
    emptyOutDir: false,
    lib: {
      entry: join(root, 'service-worker', 'service-worker.ts'),
      // One classic script: module workers of this kind are missing in some browsers.
      formats: ['iife'],
      name: 'worker',
      fileName: () => installedApp.serviceWorker.slice(1),
    },
  },
})
