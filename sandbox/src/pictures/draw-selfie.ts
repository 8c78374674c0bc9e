import { createHash } from 'node:crypto'
import sharp from 'sharp'

/** Pixels of a photo at most that the stand-ins decode. */
const photoPixelsMax = 50_000_000

/** The last pictures drawn: load tests send the same photos again and again. */
const drawn = new Map<string, Promise<Buffer>>()
const drawnMax = 16

/**
 * Draws the 'selfie' of a stand-in: the user's photo on the left half, the star's on the right. Both
 * faces are in it, so that whoever inspects it finds two people.
 * @param photos encoded pictures, the user's first
 * @returns JPEG
 */
export function drawSelfie(
  photos: readonly Uint8Array[],
  size: { widthPx: number; heightPx: number } = { widthPx: 1024, heightPx: 1280 },
): Promise<Buffer> {
  const hash = createHash('sha256').update(JSON.stringify(size))
  for (const photo of photos) hash.update(createHash('sha256').update(photo).digest())
  const key = hash.digest('hex')
  const known = drawn.get(key)
  if (known !== undefined) return known
  const drawing = draw(photos, size)
  drawing.catch(() => drawn.delete(key))
  drawn.set(key, drawing)
  const [oldest] = drawn.keys()
  if (drawn.size > drawnMax && oldest !== undefined) drawn.delete(oldest)
  return drawing
}

async function draw(
  photos: readonly Uint8Array[],
  size: { widthPx: number; heightPx: number },
): Promise<Buffer> {
  const { widthPx, heightPx } = size
  const half = Math.floor(widthPx / 2)
  const halves = await Promise.all(
    photos
      .slice(0, 2)
      .map((photo) =>
        sharp(photo, { limitInputPixels: photoPixelsMax })
          .autoOrient()
          .resize(half, heightPx, { fit: 'cover', position: 'attention' })
          .flatten({ background: '#ddd' })
          .toBuffer(),
      ),
  )
  return await sharp({
    create: { width: widthPx, height: heightPx, channels: 3, background: '#ddd' },
  })
    .composite(halves.map((input, index) => ({ input, left: index * half, top: 0 })))
    .jpeg({ quality: 90 })
    .toBuffer()
}
