import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { decodeTarHeader, encodeTarHeader, paddingAfter } from './archive-format.ts'

const longName = `objects/pictures/${'a'.repeat(80)}/${'b'.repeat(80)}.jpg`

test('a header says what was written into it, also a name longer than a hundred bytes', () => {
  for (const header of [
    { name: 'closing.json', byteCount: 0 },
    { name: longName, byteCount: 8 ** 11 - 1 },
  ]) {
    expect(decodeTarHeader(encodeTarHeader(header))).toEqual(header)
  }
})

test('a header with a changed byte, or of zeros, is none', () => {
  const header = encodeTarHeader({ name: 'closing.json', byteCount: 12 })
  header[3] = 0x41
  expect(decodeTarHeader(header)).toBeUndefined()
  expect(decodeTarHeader(Buffer.alloc(512))).toBeUndefined()
})

test('a name that does not fit is a bug', () => {
  expect(() => encodeTarHeader({ name: 'a'.repeat(101), byteCount: 0 })).toThrow(/doesn't fit/)
})

test('tar itself reads the entries', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'starside-tar-'))
  try {
    const file = join(folder, 'test.tar')
    const content = Buffer.from('one picture')
    await writeFile(
      file,
      Buffer.concat([
        encodeTarHeader({ name: longName, byteCount: content.length }),
        content,
        Buffer.alloc(paddingAfter(content.length) + 1_024),
      ]),
    )
    const tar = promisify(execFile)
    expect((await tar('tar', ['-tf', file])).stdout.trim()).toBe(longName)
    expect((await tar('tar', ['-xOf', file])).stdout).toBe('one picture')
  } finally {
    await rm(folder, { recursive: true })
  }
})
