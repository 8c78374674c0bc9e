import sharp from 'sharp'

/**
 * Sets pictures side by side, each cropped to its share of the width, with a gap between them.
 * @param size of the whole strip, pixels
 * @returns JPEG
 */
export async function makeStrip(
  pictures: readonly Uint8Array[],
  size: { width: number; height: number },
): Promise<Uint8Array> {
  const gap = 8
  const width = Math.floor((size.width - gap * (pictures.length - 1)) / pictures.length)
  const parts = await Promise.all(
    pictures.map(async (picture, index) => ({
      input: await sharp(picture).resize(width, size.height, { fit: 'cover' }).png().toBuffer(),
      left: index * (width + gap),
      top: 0,
    })),
  )
  return await sharp({ create: { ...size, channels: 3, background: '#ffffff' } })
    .composite(parts)
    .jpeg({ quality: 72, mozjpeg: true })
    .toBuffer()
}
