import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minimalEnvironment } from './engine-child.ts'
import { compileCacheFolder, processFlags } from './process-settings.ts'

const run = promisify(execFile)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'starside-compiled-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

test('the engine’s process inherits where programs and temporary files are, language and zone, nothing else', () => {
  const passed = [
    'LANG',
    'NODE_COMPILE_CACHE',
    'NODE_DISABLE_COMPILE_CACHE',
    'PATH',
    'SystemRoot',
    'TEMP',
    'TMP',
    'TMPDIR',
    'TZ',
    'UV_THREADPOOL_SIZE',
  ]
  const given = [...passed, 'HOME', 'NODE_OPTIONS', 'SIGNING_SECRET', 'MALLOC_ARENA_MAX']
  const environment = minimalEnvironment(
    Object.fromEntries(given.map((name) => [name, `the ${name}`])),
  )
  expect(environment).toEqual({
    ...Object.fromEntries(passed.map((name) => [name, `the ${name}`])),
    MALLOC_ARENA_MAX: '1',
    MALLOC_TRIM_THRESHOLD_: '65536',
    MALLOC_MMAP_THRESHOLD_: '65536',
    GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
  })
})

describe('the compile cache of the engine’s process', () => {
  test('lies where the sources lie, unless the operator names a folder', () => {
    const own = minimalEnvironment({})['NODE_COMPILE_CACHE']
    expect(own).toBe(compileCacheFolder)
    expect(compileCacheFolder.endsWith(path.join('.cache', 'compile'))).toBe(true)
    const named = minimalEnvironment({ NODE_COMPILE_CACHE: '/var/cache/starside' })
    expect(named['NODE_COMPILE_CACHE']).toBe('/var/cache/starside')
  })

  test('never runs code of a source that has changed since', async () => {
    const cache = path.join(folder, 'cache')
    const source = path.join(folder, 'source.ts')
    const runWith = async (value: number): Promise<string> => {
      // Of the same length and within the clock's step, so that only the content tells them apart.
      await writeFile(source, `const value: number = ${value}\nconsole.log(value)\n`)
      const env = { ...minimalEnvironment(process.env), NODE_COMPILE_CACHE: cache }
      const { stdout } = await run(process.execPath, [...processFlags, source], { env })
      return stdout.trim()
    }
    expect(await runWith(1)).toBe('1')
    const kept = await readdir(cache, { recursive: true })
    expect(kept.length).toBeGreaterThan(1)
    expect(await runWith(2)).toBe('2')
    expect(await runWith(3)).toBe('3')
  })

  test('does no harm where it can’t be written', async () => {
    const source = path.join(folder, 'lone.ts')
    await writeFile(source, "console.log('runs' as string)\n")
    const env = { ...minimalEnvironment(process.env), NODE_COMPILE_CACHE: '/dev/null/nowhere' }
    const { stdout, stderr } = await run(process.execPath, [...processFlags, source], { env })
    expect({ stdout, stderr }).toEqual({ stdout: 'runs\n', stderr: '' })
  })
})
