import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listPackages } from './list-packages.ts'
import { runTool } from './run-program.ts'

test('somebody else’s packages are listed once each by name and version, with the licence they state', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'starside-packages-'))
  const packages = {
    '': { version: '1.0.0' },
    server: { version: '1.0.0', license: 'MIT' },
    'node_modules/@starside/server': { link: true, version: '1.0.0' },
    'node_modules/zod': { version: '4.0.0', license: 'MIT' },
    'node_modules/a/node_modules/zod': { version: '3.0.0', license: 'MIT', dev: true },
    'node_modules/b/node_modules/zod': { version: '4.0.0', dev: true },
    'node_modules/@scope/old': { version: '1.0.0', dev: true, license: { type: 'ISC' } },
    'node_modules/either': { version: '1.0.0', license: [{ type: 'MIT' }, 'Apache-2.0', 7] },
    'node_modules/stated': { version: '1.0.0' },
    'node_modules/silent': { version: '1.0.0' },
    'node_modules/without-version': { license: 'MIT' },
  }
  try {
    await writeFile(path.join(folder, 'package-lock.json'), JSON.stringify({ packages }))
    const stated = path.join(folder, 'node_modules', 'stated')
    await mkdir(stated, { recursive: true })
    await writeFile(
      path.join(stated, 'package.json'),
      '{ "licenses": [{ "type": "BSD-2-Clause" }] }',
    )
    const told = (await listPackages(folder)).map(
      ({ name, version, licence, isDevelopment }) =>
        `${name} ${version} ${licence}${isDevelopment ? ' to test' : ''}`,
    )
    expect(told).toEqual([
      '@scope/old 1.0.0 ISC to test',
      'either 1.0.0 MIT OR Apache-2.0 OR UNKNOWN',
      'silent 1.0.0 UNKNOWN',
      'stated 1.0.0 BSD-2-Clause',
      'zod 3.0.0 MIT to test',
      'zod 4.0.0 MIT',
    ])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a tool’s exit code is its answer, 1 where a signal ended it, and it gets settings beside ours', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'starside-tool-'))
  const script = path.join(folder, 'tool.mjs')
  await writeFile(
    script,
    `const [how] = process.argv.slice(2)
     if (how === 'signal') process.kill(process.pid, 'SIGKILL')
     process.exit(how === 'settings' && process.env.OWN === '7' && process.env.PATH ? 5 : Number(how))`,
  )
  try {
    const listeners = process.listenerCount('SIGTERM')
    expect(await runTool(script, ['0'])).toBe(0)
    expect(await runTool(script, ['3'])).toBe(3)
    expect(await runTool(script, ['settings'], { OWN: '7' })).toBe(5)
    expect(await runTool(script, ['signal'])).toBe(1)
    expect(process.listenerCount('SIGTERM')).toBe(listeners)
  } finally {
    await rm(folder, { recursive: true })
  }
})
