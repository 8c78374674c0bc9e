import { expect, test } from 'vitest'
import { downloadPicture } from './download-picture.ts'
import { isPublicAddress } from './public-address.ts'

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
