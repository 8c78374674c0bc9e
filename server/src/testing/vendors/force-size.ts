import sharp from 'sharp'

/**
 * Photos as stable-diffusion.cpp has them after it has forced them into the size of the picture: the
 * largest part of that shape around the middle, with its rounding (examples/common/media_io.cpp).
 * @param size such as `1024x1280`; anything else leaves them as they are
 */
export async function forceSize(
  photos: readonly Buffer[],
  size: string | undefined,
): Promise<Buffer[]> {
  const [, wide, high] = /^(\d+)x(\d+)$/.exec(size ?? '') ?? []
  const width = Number(wide)
  const height = Number(high)
  if (!(width > 0 && height > 0)) return [...photos]
  return await Promise.all(
    photos.map(async (photo) => {
      const part = sharp(photo).extract(await middleOf(photo, width / height))
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
