import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from './project-folder.js'

/** What the check runs beside the formatter; here it finds nothing. */
const otherTools = ['oxlint/bin/oxlint', 'typescript/bin/tsc', 'knip/bin/knip.js']

test('the check names the format of a file, which it leaves as it is', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'starside-check-'))
  const put = async (name: string, text: string) => {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await writeFile(path.join(folder, name), text)
  }
  try {
    for (const tool of otherTools) await put(`node_modules/${tool}`, '')
    for (const script of ['check.ts', 'run-program.ts', 'project-folder.js'])
      await cp(path.join(projectFolder, 'scripts', script), path.join(folder, 'scripts', script))
    await put('scripts/tidy.ts', 'export const checkTidiness = () => true\n')
    await put('package.json', '{ "type": "module" }\n')
    await put('wide.ts', 'const   wide=1')
    await symlink(
      path.join(projectFolder, 'node_modules/oxfmt'),
      path.join(folder, 'node_modules/oxfmt'),
    )
    const ran = spawnSync(process.execPath, ['scripts/check.ts', 'quick'], { cwd: folder })
    expect(ran.stdout.toString()).toContain('format: failed. `npm run format` mends it.')
    expect(ran.status).toBe(1)
    expect(await readFile(path.join(folder, 'wide.ts'), 'utf8')).toBe('const   wide=1')
  } finally {
    await rm(folder, { recursive: true })
  }
})
