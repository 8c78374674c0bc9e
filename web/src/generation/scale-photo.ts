export interface ScaledPhoto {
  blob: Blob
  widthPx: number
  heightPx: number
  /** Whether the photo has more pixels. */
  isShrunk: boolean
}

/** Turns a photo by EXIF, scales its longer side to `sideMaxPx` at most: a JPEG (sRGB, 0.92) without metadata. Runs in a worker. Throws when it can't be read. */
export async function scalePhoto(file: Blob, sideMaxPx: number): Promise<ScaledPhoto> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  try {
    const scale = Math.min(1, sideMaxPx / Math.max(bitmap.width, bitmap.height))
    const scaled = (sidePx: number): number => Math.max(1, Math.round(sidePx * scale))
    const [widthPx, heightPx] = [scaled(bitmap.width), scaled(bitmap.height)]
    const canvas = new OffscreenCanvas(widthPx, heightPx)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('Cannot get canvas context')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, widthPx, heightPx)
    context.imageSmoothingQuality = 'high'
    context.drawImage(bitmap, 0, 0, widthPx, heightPx)
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 })
    if (blob.type !== 'image/jpeg') throw new Error('Failed to create blob from canvas')
    return { blob, widthPx, heightPx, isShrunk: widthPx < bitmap.width }
  } finally {
    bitmap.close()
  }
}
