import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openTestS3 } from '../../testing/open-test-s3.ts'
import type { TestS3 } from '../../testing/open-test-s3.ts'
import { openFolderStore } from './folder-store.ts'
import type { ObjectStore } from './object-store.ts'
import { readS3Settings } from './s3-settings.ts'
import { openS3Store } from './s3-store.ts'

let folder: string
let s3: TestS3
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starside-store-'))
  s3 = await openTestS3()
})
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const picture = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 256))

async function keysOf(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list(prefix)) keys.push(key)
  return keys.toSorted()
}

describe.each([
  { name: 'the folder', open: () => openFolderStore(folder) },
  { name: 'the S3 server', open: () => openS3Store(s3.settings) },
])('objects in $name', ({ open }) => {
  test('come back byte for byte', async () => {
    const store = open()
    await store.put('pictures/one/a-clean.jpg', picture, 'image/jpeg')
    expect(picture.equals((await store.get('pictures/one/a-clean.jpg')) ?? Buffer.of())).toBe(true)
  })

  test('are replaced as a whole', async () => {
    const store = open()
    await store.put('pictures/two/b.jpg', picture, 'image/jpeg')
    await store.put('pictures/two/b.jpg', Buffer.from('short'), 'image/jpeg')
    expect(Buffer.from((await store.get('pictures/two/b.jpg')) ?? []).toString()).toBe('short')
  })

  test('that were never written are undefined, and deleting them is no error', async () => {
    const store = open()
    expect(await store.get('pictures/none/c.jpg')).toBeUndefined()
    await store.delete('pictures/none/c.jpg')
  })

  test('are gone once deleted', async () => {
    const store = open()
    await store.put('pictures/three/d.jpg', Buffer.from('d'), 'image/jpeg')
    await store.delete('pictures/three/d.jpg')
    expect(await store.get('pictures/three/d.jpg')).toBeUndefined()
    expect(await keysOf(store, 'pictures/three')).toEqual([])
  })

  test('are listed below their prefix alone, with the time of their writing', async () => {
    const store = open()
    const before = Date.now() - 2_000
    for (const key of ['inputs/x/1.jpg', 'inputs/y/2.png', 'inputsother/z/3.jpg']) {
      await store.put(key, Buffer.from(key), 'image/jpeg')
    }
    expect(await keysOf(store, 'inputs')).toEqual(['inputs/x/1.jpg', 'inputs/y/2.png'])
    for await (const { modifiedAt } of store.list('inputs')) {
      expect(modifiedAt.getTime()).toBeGreaterThanOrEqual(before)
      expect(modifiedAt.getTime()).toBeLessThanOrEqual(Date.now() + 2_000)
    }
    expect(await keysOf(store, 'nothing')).toEqual([])
  })

  test('are listed in their order, from a key on that need not be there', async () => {
    const store = open()
    for (const place of ['b/1', 'a/2', 'a/10', 'c/4']) {
      await store.put(`ordered/${place}.jpg`, Buffer.from('o'), 'image/jpeg')
    }
    const listed = async (after?: string) => {
      const keys: string[] = []
      for await (const { key } of store.list('ordered', after === undefined ? {} : { after })) {
        keys.push(key.slice('ordered/'.length, -'.jpg'.length))
      }
      return keys
    }
    expect(await listed()).toEqual(['a/10', 'a/2', 'b/1', 'c/4'])
    expect(await listed('ordered/a/10.jpg')).toEqual(['a/2', 'b/1', 'c/4'])
    expect(await listed('ordered/a/3.jpg')).toEqual(['b/1', 'c/4'])
    expect(await listed('ordered/c/4.jpg')).toEqual([])
  })

  test.each(['../secret', 'pictures/../../x.jpg', '/etc/passwd', 'pictures//x.jpg', 'Pictures/x'])(
    'have no key such as %s',
    async (key) => {
      const store = open()
      await expect(store.get(key)).rejects.toThrow('is not an object key')
      await expect(store.put(key, picture, 'image/jpeg')).rejects.toThrow('is not an object key')
      await expect(store.delete(key)).rejects.toThrow('is not an object key')
    },
  )

  test('survive many writers and deleters of one place', async () => {
    const store = open()
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const key = `pictures/shared/${index}.jpg`
        await store.put(key, Buffer.from(`${index}`), 'image/jpeg')
        if (index % 2 === 0) await store.delete(key)
      }),
    )
    expect(await keysOf(store, 'pictures/shared')).toHaveLength(10)
  })
})

describe('the folder', () => {
  test('keeps no empty places behind', async () => {
    const store = openFolderStore(folder)
    await store.put('inputs/gone/1.jpg', picture, 'image/jpeg')
    await store.delete('inputs/gone/1.jpg')
    expect(await readdir(join(folder, 'inputs'))).not.toContain('gone')
  })

  test('keeps nothing of what can’t be written', async () => {
    const store = openFolderStore(folder)
    await store.put('pictures/five/e.jpg', picture, 'image/jpeg')
    const writing = store.put('pictures/five', picture, 'image/jpeg')
    await expect(writing).rejects.toMatchObject({ code: 'EISDIR' })
    const names = await readdir(join(folder, 'pictures'))
    expect(names.filter((name) => name.startsWith('five'))).toEqual(['five'])
  })

  test('says of what can’t be read that it can’t, and not that it was never written', async () => {
    const store = openFolderStore(folder)
    await store.put('pictures/four/e.jpg', Buffer.from('e'), 'image/jpeg')
    await expect(store.get('pictures/four')).rejects.toMatchObject({ code: 'EISDIR' })
  })

  test('lists keys by their characters, also where one place is the beginning of another', async () => {
    const store = openFolderStore(folder)
    for (const key of ['similar/a/2.jpg', 'similar/a-b/3.jpg']) {
      await store.put(key, Buffer.from('s'), 'image/jpeg')
    }
    const keys: string[] = []
    for await (const { key } of store.list('similar')) keys.push(key)
    expect(keys).toEqual(['similar/a-b/3.jpg', 'similar/a/2.jpg'])
  })
})

/** By this the limit of a try is known. */
const tryTimeoutMs = 17_939

/** A server that answers as set, call by call, then 200. A try's time is over when it is left to hang, and never else. */
async function openFailingServer(answers: (number | 'hang' | 'cut')[]) {
  const asked: string[] = []
  let limit = new AbortController()
  const { timeout } = AbortSignal
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    if (ms !== tryTimeoutMs) return timeout.call(AbortSignal, ms)
    limit = new AbortController()
    return limit.signal
  })
  onTestFinished(() => spy.mockRestore())
  const server = createServer((request, response) => {
    asked.push(request.method ?? '')
    const answer = answers.shift() ?? 200
    if (answer === 'hang') return limit.abort(new DOMException('It took too long', 'TimeoutError'))
    if (answer === 'cut') {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('half', () => response.destroy())
      return
    }
    request.resume().on('end', () => response.writeHead(answer).end('whole'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    asked,
    store: openS3Store(
      { ...s3.settings, endpoint: `http://127.0.0.1:${port}` },
      { tryTimeoutMs, retryDelayMs: 1 },
    ),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('a failing S3 server', () => {
  test.each([[[503, 500]], [['hang', 429]], [['cut', 'cut']]] as const)(
    'is asked again after %j',
    async (answers) => {
      const server = await openFailingServer([...answers])
      expect(Buffer.from((await server.store.get('pictures/a/b.jpg')) ?? []).toString()).toBe(
        'whole',
      )
      expect(server.asked).toHaveLength(3)
      server.close()
    },
  )

  test('is given up after four tries', async () => {
    const server = await openFailingServer([500, 500, 500, 500, 500])
    await expect(server.store.put('pictures/a/b.jpg', picture, 'image/jpeg')).rejects.toThrow(
      'the S3 store answered 500',
    )
    expect(server.asked).toHaveLength(4)
    server.close()
  })

  test('is asked again after twice the time each time', async () => {
    const askedMs: number[] = []
    const fetch = async () => {
      askedMs.push(performance.now())
      return new Response(null, { status: 500 })
    }
    const store = openS3Store(s3.settings, { fetch, retryDelayMs: 8, random: () => 0.5 })
    await expect(store.get('pictures/a/b.jpg')).rejects.toThrow('the S3 store answered 500')
    const [first = 0, , third = 0, fourth = 0] = askedMs
    expect([third - first >= 22, fourth - third >= 30]).toEqual([true, true])
  })

  test('that refuses is not asked twice', async () => {
    const server = await openFailingServer([403, 403])
    await expect(server.store.put('pictures/a/b.jpg', picture, 'image/jpeg')).rejects.toThrow(
      'the S3 store answered 403',
    )
    expect(server.asked).toHaveLength(1)
    server.close()
  })

  test('that stays silent costs a bounded time', async () => {
    const server = await openFailingServer(['hang', 'hang', 'hang', 'hang'])
    await expect(server.store.delete('pictures/a/b.jpg')).rejects.toThrow('does not answer')
    expect(server.asked).toHaveLength(4)
    server.close()
  })
})

test('a long S3 listing is read page by page', async () => {
  const asked: (string | null)[] = []
  const server = createServer((request, response) => {
    const token = new URL(request.url ?? '', 'http://s3').searchParams.get('continuation-token')
    asked.push(token)
    const first = token === null ? 0 : Number(token)
    const contents = Array.from(
      { length: 1000 },
      (_, index) =>
        `<Contents><Key>inputs/a/${first + index}.jpg</Key><Size>1</Size>` +
        '<LastModified>2026-11-20T00:00:00.000Z</LastModified><ETag>"0"</ETag></Contents>',
    )
    const next =
      first < 2000 ? `<NextContinuationToken>${first + 1000}</NextContinuationToken>` : ''
    response
      .setHeader('content-type', 'application/xml')
      .end(
        `<?xml version="1.0"?><ListBucketResult><IsTruncated>${first < 2000}</IsTruncated>` +
          `<KeyCount>1000</KeyCount>${contents.join('')}${next}</ListBucketResult>`,
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const keys = await keysOf(
    openS3Store({ ...s3.settings, endpoint: `http://127.0.0.1:${port}` }),
    'inputs',
  )
  expect(new Set(keys).size).toBe(3000)
  expect(asked).toEqual([null, '1000', '2000'])
  server.close()
})

describe('the check at the start', () => {
  test('accepts a bucket that is there', async () => {
    await openS3Store(s3.settings).check()
  })

  test('names a bucket that is missing', async () => {
    const store = openS3Store({ ...s3.settings, bucket: 'nowhere' })
    await expect(store.check()).rejects.toThrow(/bucket 'nowhere' .* does not exist/)
  })

  test('tells refused keys from a missing bucket', async () => {
    const server = await openFailingServer([403])
    await expect(server.store.check()).rejects.toThrow(/refuses S3_ACCESS_KEY_ID/)
    server.close()
  })
})

describe('the settings', () => {
  const whole = {
    S3_ENDPOINT: 'https://s3.example/',
    S3_BUCKET: 'pictures',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  }

  test('are off when nothing is set', () => {
    expect(readS3Settings({})).toBeUndefined()
  })

  test('are read whole, with the usual region', () => {
    expect(readS3Settings(whole)).toEqual({
      endpoint: 'https://s3.example',
      bucket: 'pictures',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    })
  })

  test.each(Object.keys(whole))('are refused without %s', (name) => {
    expect(() => readS3Settings({ ...whole, [name]: undefined })).toThrow('must be set together')
  })
})
