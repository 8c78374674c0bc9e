import { afterEach, expect, it, vi } from 'vitest'
import { downloadPicture } from './use-picture-sharing.ts'

afterEach(() => vi.unstubAllGlobals())

it('wants an address', async () => {
  await expect(downloadPicture(null)).rejects.toThrow('Image URL is required')
})

it.each([
  [
    'a refusal',
    () => Promise.resolve(new Response('', { status: 410, statusText: 'Gone' })),
    '410 Gone',
  ],
  ['a lost network', () => Promise.reject(new TypeError('Failed to fetch')), 'Failed to fetch'],
])('tells the reason of %s', async (_name, fetchPicture, reason) => {
  vi.stubGlobal('fetch', fetchPicture)
  await expect(downloadPicture('/p.png')).rejects.toThrow(`Failed to download image: ${reason}`)
})
