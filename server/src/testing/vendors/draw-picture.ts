import { createHash } from 'node:crypto'
import sharp from 'sharp'

const size = { widthPx: 1024, heightPx: 1280 }

/** The last pictures drawn: load tests send the same photos again and again. */
const drawn = new Map<string, Promise<Buffer>>()
const drawnMax = 16

/**
 * The picture of a vendor under test: the user's photo on the left half, the star's on the right, so that
 * whoever inspects it finds two people.
 * @param photos encoded pictures, the user's first
 * @returns JPEG
 */
export function drawPicture(photos: readonly Buffer[]): Promise<Buffer> {
  const hash = createHash('sha256')
  for (const photo of photos) hash.update(photo)
  const key = hash.digest('hex')
  const drawing = drawn.get(key) ?? draw(photos)
  drawing.catch(() => drawn.delete(key))
  drawn.set(key, drawing)
  if (drawn.size > drawnMax) drawn.delete([...drawn.keys()][0] ?? '')
  return drawing
}

async function draw(photos: readonly Buffer[]): Promise<Buffer> {
  const { widthPx: width, heightPx: height } = size
  const half = { width: width / 2, height, fit: 'cover', position: 'attention' } as const
  const halves = await Promise.all(
    photos.slice(0, 2).map((photo) => sharp(photo).autoOrient().resize(half).flatten().toBuffer()),
  )
  return await sharp({ create: { width, height, channels: 3, background: '#ddd' } })
    .composite(halves.map((input, index) => ({ input, left: index * half.width, top: 0 })))
    .jpeg({ quality: 90 })
    .toBuffer()
}
