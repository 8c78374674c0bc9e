import { afterEach, expect, it, vi } from 'vitest'
import { downloadFileName, downloadPicture } from './use-picture-sharing.ts'

afterEach(() => vi.unstubAllGlobals())

it('names the file after the moment', () => {
  expect(downloadFileName(1_700_000_000_123)).toBe('celebrity-selfie-1700000000123.png')
})

it('wants an address', async () => {
  await expect(downloadPicture(null, 'x.png')).rejects.toThrow('Image URL is required')
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
  await expect(downloadPicture('/p.png', 'x.png')).rejects.toThrow(
    `Failed to download image: ${reason}`,
  )
})
