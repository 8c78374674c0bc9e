import sharp from 'sharp'

/**
 * Photos as a server has them after it has forced them into the size of the picture.
 * @param size such as `1024x1280`; anything else leaves them as they are
 * @param how `cut` takes the largest part of that shape around the middle, with the rounding of
 *   stable-diffusion.cpp (examples/common/media_io.cpp); `stretch` takes the whole
 */
export async function forceSize(
  photos: readonly Buffer[],
  size: string | undefined,
  how: 'cut' | 'stretch',
): Promise<Buffer[]> {
  const [, wide, high] = /^(\d+)x(\d+)$/.exec(size ?? '') ?? []
  const width = Number(wide)
  const height = Number(high)
  if (!(width > 0 && height > 0)) return [...photos]
  return await Promise.all(
    photos.map(async (photo) => {
      const whole = sharp(photo)
      const part = how === 'cut' ? whole.extract(await middleOf(photo, width / height)) : whole
      return await part.resize(width, height, { fit: 'fill' }).png().toBuffer()
    }),
  )
}

async function middleOf(photo: Buffer, aspect: number) {
  const { width, height } = await sharp(photo).metadata()
  const isWide = width / height > aspect
  const cutWidth = isWide ? Math.trunc(height * aspect) : width
  const cutHeight = isWide ? height : Math.min(height, Math.trunc(width / aspect))
  return {
    left: Math.trunc((width - cutWidth) / 2),
    top: Math.trunc((height - cutHeight) / 2),
    width: cutWidth,
    height: cutHeight,
  }
}
