/** The build's step after the pages: a brotli form beside each text file of the web app, which the server sends to browsers that take it. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

const dist = path.join(import.meta.dirname, '..', 'web', 'dist')

for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(?:js|css|svg|txt)$/.test(entry.name)) continue
  const file = path.join(entry.parentPath, entry.name)
  const content = await readFile(file)
  // The HEIC decoder alone would take half a minute at the highest quality.
  const quality = content.length > 1_000_000 ? 5 : 11
  const packed = brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality },
  })
  await writeFile(`${file}.br`, packed)
}
