import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadDisposableDomains } from './mailbox.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starside-disposable-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a listed domain stands for all below it, in whatever letters it is written', async () => {
  const file = join(folder, 'list.txt')
  await writeFile(file, '# thrown away\n\n  Trash.example  # since May\nmüll.example\n')
  const isDisposable = await loadDisposableDomains(file)
  for (const domain of [
    'trash.example',
    'TRASH.example',
    'ｔｒａｓｈ．example',
    'a.b.trash.example',
    'müll.example',
    'xn--mll-hoa.example',
  ]) {
    expect(isDisposable(`someone@${domain}`), domain).toBe(true)
  }
  for (const domain of ['nottrash.example', 'example', 'trash.example.org', 'since', 'a b']) {
    expect(isDisposable(`someone@${domain}`), domain).toBe(false)
  }
})

test('without a list no address is disposable; a list that can’t be read is a mistake in the settings', async () => {
  const isDisposable = await loadDisposableDomains(undefined)
  expect(isDisposable('someone@trash.example')).toBe(false)
  await expect(loadDisposableDomains(join(folder, 'none.txt'))).rejects.toThrow(
    /^DISPOSABLE_MAIL_FILE can't be read: .*none\.txt/,
  )
})
