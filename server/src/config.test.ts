import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, readProcessConfig } from './config.ts'

test('the file .env fills in what the environment leaves out, and tests see none of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'starside-config-'))
  try {
    await writeFile(join(folder, '.env'), 'PORT=4000\nHOST="0.0.0.0" # all\n')
    const config = readProcessConfig({ NODE_ENV: 'development', PORT: '5000' }, folder)
    expect([config.port, config.listenAddress]).toEqual([5000, '0.0.0.0'])
    expect(readProcessConfig({ NODE_ENV: 'test' }, folder).listenAddress).toBe('127.0.0.1')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('all wrong settings are reported at once', () => {
  expect(() => readConfig({ PORT: 'many', ROLE: 'king', ORDERS_PER_HOUR: '0' })).toThrow(
    /PORT[^]*ROLE[^]*ORDERS_PER_HOUR/,
  )
})
