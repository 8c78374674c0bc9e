import { afterEach, expect, test, vi } from 'vitest'
import { scalePhoto } from './scale-photo.ts'

afterEach(() => vi.unstubAllGlobals())

/** A browser whose canvas has that context, and encodes as that type. */
function stubBrowser(context: object | null, type: string, [width, height] = [4000, 3000]) {
  const close = vi.fn()
  vi.stubGlobal('createImageBitmap', async () => ({ width, height, close }))
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext = () => context
      convertToBlob = async () => new Blob(['x'], { type })
    },
  )
  return close
}

const context = { fillRect: () => undefined, drawImage: () => undefined }

test.for([
  [null, 'image/jpeg', 'Cannot get canvas context'],
  [context, 'image/png', 'Failed to create blob from canvas'],
] as const)('a browser that cannot scale a photo says why: %#', async ([has, type, sentence]) => {
  const close = stubBrowser(has, type)
  await expect(scalePhoto(new Blob(['photo']), 2048)).rejects.toThrow(sentence)
  expect(close).toHaveBeenCalledOnce()
})

test.for([
  [2048, { widthPx: 2048, heightPx: 1536, isShrunk: true }],
  [4096, { widthPx: 4000, heightPx: 3000, isShrunk: false }],
] as const)('a photo is scaled to %i px on its longer side at most', async ([side, expected]) => {
  stubBrowser(context, 'image/jpeg')
  expect(await scalePhoto(new Blob(['photo']), side)).toMatchObject(expected)
})

test.for([
  [3000, 4000, 1536, 2048],
  [2048, 2048, 2048, 2048],
  [640, 480, 640, 480],
  [10_000, 2, 2048, 1],
] as const)('%i × %i goes up as %i × %i', async ([width, height, widthPx, heightPx]) => {
  stubBrowser(context, 'image/jpeg', [width, height])
  expect(await scalePhoto(new Blob(['photo']), 2048)).toMatchObject({ widthPx, heightPx })
})

test('a photo that can be seen through stands on white', async () => {
  const drawn: unknown[] = []
  const noting = {
    fillStyle: '',
    fillRect(...box: number[]) {
      drawn.push([this.fillStyle, ...box])
    },
    drawImage: () => drawn.push('the photo'),
  }
  stubBrowser(noting, 'image/jpeg')
  await scalePhoto(new Blob(['photo']), 2048)
  expect(drawn).toEqual([['#fff', 0, 0, 2048, 1536], 'the photo'])
})
