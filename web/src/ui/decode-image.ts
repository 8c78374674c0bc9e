/** An image that can be drawn at once. Rejects where it does not load. */
export async function decodeImage(address: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = address
  await image.decode()
  return image
}
