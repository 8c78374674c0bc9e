import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { addMissingLinks } from './binaries.ts'

test('library links that a skipped install script left out are made, present ones stay', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'starside-links-'))
  try {
    const native = path.join(folder, 'native')
    await mkdir(path.join(native, 'lib'), { recursive: true })
    await writeFile(path.join(native, 'lib', 'libicuuc.so.60.2'), 'library')
    await symlink('libicuuc.so.60.2', path.join(native, 'lib', 'libicuuc.so'))
    const links = ['libicuuc.so', 'libicuuc.so.60'].map((name) => ({
      source: 'native/lib/libicuuc.so.60.2',
      target: `native/lib/${name}`,
    }))
    await writeFile(path.join(native, 'pg-symlinks.json'), JSON.stringify(links))

    await addMissingLinks(native)
    for (const { target } of links) {
      expect(await readFile(path.join(folder, target), 'utf8')).toBe('library')
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
