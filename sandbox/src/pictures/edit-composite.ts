import sharp from 'sharp'

/** What a model may do to a composite beside bringing it into one light. */
export const compositeEdits = ['shifted', 'tinted', 'cropped', 'redrawn', 'moved'] as const
export type CompositeEdit = (typeof compositeEdits)[number]

const jpeg = { quality: 95 }

/** The 'picture' of a stand-in that was given a single photo: the photo, changed in one way. */
export async function editComposite(photo: Buffer, how: CompositeEdit): Promise<Buffer> {
  const { width, height } = await sharp(photo).metadata()
  const [dx, dy] = [Math.round(width * 0.05), Math.round(height * 0.03)]
  switch (how) {
    case 'tinted':
      return await sharp(photo).linear([1.05, 0.9, 0.7], [0, 0, 0]).jpeg(jpeg).toBuffer()
    case 'redrawn':
      // Nobody's features are left.
      return await sharp(photo)
        .blur(width / 150)
        .jpeg(jpeg)
        .toBuffer()
    case 'shifted': {
      const part = { left: dx, top: dy, width: width - dx, height: height - dy }
      const cut = await sharp(photo).extract(part).toBuffer()
      const whole = sharp(cut).extend({ right: dx, bottom: dy, extendWith: 'copy' })
      return await whole.jpeg(jpeg).toBuffer()
    }
    case 'cropped': {
      const part = { left: dx, top: dy, width: width - 2 * dx, height: height - 2 * dy }
      const cut = await sharp(photo).extract(part).toBuffer()
      return await sharp(cut).resize(width, height, { fit: 'fill' }).jpeg(jpeg).toBuffer()
    }
    case 'moved': {
      // Whoever stands to the left sinks by a quarter of the picture.
      const sunk = Math.round(height * 0.25)
      const half = { left: 0, top: 0, width: width >> 1, height: height - sunk }
      const left = await sharp(photo).extract(half).toBuffer()
      return await sharp(photo)
        .composite([{ input: left, left: 0, top: sunk }])
        .jpeg(jpeg)
        .toBuffer()
    }
  }
}
