/** An image that can be drawn at once. Rejects where it does not load. */
export async function decodeImage(address: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = address
  await image.decode()
  return image
}

/** True of an ISO base media file (ISO/IEC 14496-12, `ftyp` box), as HEIC is one; names and types are not trusted. */
export async function mayBeHeic(file: Blob): Promise<boolean> {
  return (await file.slice(4, 8).text()) === 'ftyp'
}
