import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openStore } from './open-store.ts'

const keys = { bucket: 'selfies', region: 'x', accessKeyId: 'id', secretAccessKey: 'hidden' }

test('a store that refuses the keys ends the start; one that does not answer is logged', async () => {
  let status = 403
  const server = createServer((_request, response) => response.writeHead(status).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const s3 = { ...keys, endpoint: `http://127.0.0.1:${port}` }
  const warn = vi.fn<(details: object, message: string) => void>()
  const open = () => openStore({ s3, dataFolder: '/nowhere' }, { warn })
  try {
    await expect(open()).rejects.toMatchObject({
      name: 'SettingsError',
      message: expect.stringMatching(/refuses S3_ACCESS_KEY_ID .* 'selfies'/),
    })
    expect(warn).not.toHaveBeenCalled()
    status = 500
    expect(await open()).toHaveProperty('put')
    expect(warn.mock.calls).toEqual([[{ err: expect.any(Error) }, 'the S3 store does not answer']])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('without a bucket objects lie in the data folder', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'starside-store-'))
  try {
    const store = await openStore({ s3: undefined, dataFolder }, { warn: () => undefined })
    await store.put('pictures/a.jpg', Buffer.from('bytes'), 'image/jpeg')
    expect(await readFile(join(dataFolder, 'objects', 'pictures', 'a.jpg'), 'utf8')).toBe('bytes')
  } finally {
    await rm(dataFolder, { recursive: true })
  }
})
