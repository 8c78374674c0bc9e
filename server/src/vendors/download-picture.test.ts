import { expect, test } from 'vitest'
import { decodePicture, downloadPicture, isPublicAddress } from './download-picture.ts'

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])
const rules = { hosts: ['fal.media', '*.fal.media'], origins: [] }
const signal = new AbortController().signal

/** A network in which every name is at `addresses` and every address answers what `pages` say. */
function network(pages: Record<string, Response>, addresses = ['104.18.1.1']) {
  const fetched: string[] = []
  const parts = {
    fetch: async (input: string | URL | Request) => {
      const url = input instanceof Request ? input.url : String(input)
      fetched.push(url)
      return pages[url] ?? new Response('', { status: 404 })
    },
    resolveHost: async () => addresses,
  }
  return { fetched, get: (url: string) => downloadPicture(parts, url, { rules, signal }) }
}

const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })

test('a picture on an allowed host is fetched, also behind a redirect to another one', async () => {
  const { get } = network({
    'https://v3.fal.media/a.jpg': redirect('https://fal.media/b.jpg'),
    'https://fal.media/b.jpg': new Response(jpeg),
  })
  expect(Buffer.from(await get('https://v3.fal.media/a.jpg'))).toEqual(jpeg)
})

test.for([
  'http://fal.media/a.jpg',
  'https://fal.media:8443/a.jpg',
  'https://user:secret@fal.media/a.jpg',
  'https://fal.media.evil.example/a.jpg',
  'https://evilfal.media/a.jpg',
  'https://127.0.0.1/a.jpg',
  'https://[::1]/a.jpg',
  'https://2130706433/a.jpg',
  'file:///etc/passwd',
  'ftp://fal.media/a.jpg',
  'not an address',
  'data:text/html;base64,PGI+',
  'data:image/png;base64,aGVsbG8=',
])('%s is refused without a request', async (url) => {
  const { fetched, get } = network({})
  await expect(get(url)).rejects.toMatchObject({ kind: 'unknown' })
  expect(fetched).toEqual([])
})

test.for([
  'http://169.254.169.254/latest',
  'https://10.0.0.1/a.jpg',
  'https://other.example/a.jpg',
])('a redirect to %s is not followed', async (location) => {
  const { fetched, get } = network({ 'https://fal.media/a.jpg': redirect(location) })
  await expect(get('https://fal.media/a.jpg')).rejects.toMatchObject({ kind: 'unknown' })
  expect(fetched).toEqual(['https://fal.media/a.jpg'])
})

test('an allowed name at any private address is refused', async () => {
  for (const addresses of [['127.0.0.1'], ['104.18.1.1', '10.1.2.3'], ['fd00::1'], []]) {
    const { fetched, get } = network({}, addresses)
    await expect(get('https://fal.media/a.jpg')).rejects.toMatchObject({ kind: 'unknown' })
    expect(fetched).toEqual([])
  }
})

test('redirects in a circle end', async () => {
  const url = 'https://fal.media/a.jpg'
  const { fetched, get } = network({ [url]: redirect(url) })
  await expect(get(url)).rejects.toMatchObject({ kind: 'unknown' })
  expect(fetched.length).toBeLessThan(6)
})

test.for<[string, boolean]>([
  ['8.8.8.8', true],
  ['2606:4700::1', true],
  ['0.0.0.0', false],
  ['10.255.255.255', false],
  ['100.64.0.1', false],
  ['127.0.0.53', false],
  ['169.254.169.254', false],
  ['172.31.0.1', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:8.8.8.8', true],
  ['fe80::1', false],
  ['fc00::1', false],
  ['::127.0.0.1', false],
  ['2002:7f00:1::1', false],
  ['2002:808:808::1', false],
  ['64:ff9b::7f00:1', false],
  ['64:ff9b:1::1', false],
  ['2001:0:7f00:1::', false],
  ['2001:4860:4860::8888', true],
  ['192.88.99.1', false],
  ['localhost', false],
])('%s is public: %s', ([address, isPublic]) => {
  expect(isPublicAddress(address)).toBe(isPublic)
})

test('a picture’s address may have three redirects, also relative ones', async () => {
  const pages = (count: number) => {
    const entries = Array.from({ length: count }, (_, hop) => [
      `https://fal.media/${hop}`,
      redirect(`/${hop + 1}`),
    ])
    return { ...Object.fromEntries(entries), [`https://fal.media/${count}`]: new Response(jpeg) }
  }
  expect(Buffer.from(await network(pages(3)).get('https://fal.media/0'))).toEqual(jpeg)
  await expect(network(pages(4)).get('https://fal.media/0')).rejects.toMatchObject({
    kind: 'unknown',
    message: expect.stringMatching(/more than 3 times/),
  })
})

test.for<[number, string]>([
  [200 + 1, 'unknown'],
  [299, 'unknown'],
  [400, 'unknown'],
  [404, 'unknown'],
  [408, 'provider_down'],
  [410, 'unknown'],
  [429, 'provider_down'],
  [499, 'unknown'],
  [500, 'provider_down'],
  [503, 'provider_down'],
])('an answer of %i is no picture, also with an address in it: %s', async ([status, kind]) => {
  const headers = { location: 'https://fal.media/b.jpg' }
  const { get } = network({
    'https://fal.media/a.jpg': new Response('', { status, headers }),
    'https://fal.media/b.jpg': new Response(jpeg),
  })
  await expect(get('https://fal.media/a.jpg')).rejects.toMatchObject({
    kind,
    message: `the picture answers ${status}`,
  })
})

test('a redirect to nowhere is refused', async () => {
  const url = 'https://fal.media/a.jpg'
  const answer = (headers: HeadersInit) =>
    network({ [url]: new Response(null, { status: 399, headers }) })
  await expect(answer({}).get(url)).rejects.toThrow('the picture answers 399')
  await expect(answer({ location: 'https://[' }).get(url)).rejects.toThrow('no proper address')
  const multiple = new Response(null, { status: 300, headers: { location: '/b.jpg' } })
  const { get } = network({ [url]: multiple, 'https://fal.media/b.jpg': new Response(jpeg) })
  expect(Buffer.from(await get(url))).toEqual(jpeg)
})

test('an origin of the operator’s own is asked as it is', async () => {
  const parts = { fetch: async () => new Response(jpeg), resolveHost: async () => ['10.0.0.1'] }
  const get = (url: string) =>
    downloadPicture(parts, url, { rules: { hosts: [], origins: ['http://gpu:8000'] }, signal })
  expect(Buffer.from(await get('http://gpu:8000/a.jpg'))).toEqual(jpeg)
  await expect(get('http://gpu:8001/a.jpg')).rejects.toThrow('not allowed')
})

test('what is fetched must be a picture, of at most 32 megabytes', async () => {
  const url = 'https://fal.media/a.jpg'
  const get = (body: Uint8Array<ArrayBuffer>) => network({ [url]: new Response(body) }).get(url)
  const sized = (bytes: number) => {
    const body = new Uint8Array(bytes)
    body.set(jpeg)
    return body
  }
  const largest = 32 * 1024 * 1024
  expect((await get(sized(largest))).length).toBe(largest)
  await expect(get(sized(largest + 1))).rejects.toMatchObject({
    kind: 'unknown',
    message: expect.stringMatching(/^the picture is too large/),
  })
  const none = { kind: 'unknown', message: 'what came is not a picture' }
  for (const body of ['', '<html>', 'GIF89a0000']) {
    await expect(get(new Uint8Array(Buffer.from(body)))).rejects.toMatchObject(none)
  }
})

test('a connection that breaks may be tried again, and one that is given up says why', async () => {
  const broken = async () => {
    throw new TypeError('fetch failed')
  }
  const parts = { fetch: broken, resolveHost: async () => ['104.18.1.1'] }
  const get = (stop: AbortSignal) =>
    downloadPicture(parts, 'https://fal.media/a.jpg', { rules, signal: stop })
  await expect(get(signal)).rejects.toMatchObject({
    kind: 'provider_down',
    message: 'the picture could not be fetched',
    cause: { message: 'fetch failed' },
  })
  await expect(get(AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping')
})

test('a picture is asked for without following, and until it is given up', async () => {
  const stop = new AbortController()
  let asked: RequestInit | undefined
  const fetch = async (_url: unknown, init?: RequestInit) => {
    asked = init
    return new Response(jpeg)
  }
  const parts = { fetch, resolveHost: async () => ['104.18.1.1'] }
  await downloadPicture(parts, 'https://fal.media/a.jpg', { rules, signal: stop.signal })
  expect(asked?.redirect).toBe('manual')
  stop.abort()
  expect(asked?.signal?.aborted).toBe(true)
})

test('a picture in the address itself is read without a request', async () => {
  const { fetched, get } = network({})
  const base64 = jpeg.toString('base64')
  expect(Buffer.from(await get(`data:image/jpeg;base64,${base64}`))).toEqual(jpeg)
  expect(Buffer.from(await get(`data:image/x.y+z-1;base64,${base64}`))).toEqual(jpeg)
  for (const url of [
    `data:image/jpeg;base64${base64}`,
    `data:,${base64}`,
    `data:image/jpeg,${base64}`,
    `data:image/jpeg;base64;x,${base64}`,
    `data:image/;base64,${base64}`,
    `data:text/data:image/jpeg;base64,${base64}`,
    `data:image/j peg;base64,${base64}`,
  ]) {
    await expect(get(url)).rejects.toMatchObject({
      message: 'the picture’s data address is not a picture',
    })
  }
  expect(fetched).toEqual([])
})

test('a picture in base64 has at most 32 megabytes', () => {
  const largest = Buffer.alloc(32 * 1024 * 1024)
  largest.set(jpeg)
  const base64 = largest.toString('base64')
  expect(decodePicture(base64).length).toBe(largest.length)
  expect(() => decodePicture(`${base64}AAAA`)).toThrow('the picture is too large')
})
