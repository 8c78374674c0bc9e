/** A face's box in fractions of the upright photo's width and height. */
export interface FaceBox {
  x: number
  y: number
  width: number
  height: number
}

/**
 * The CSS `object-position` at which a photo that covers its frame (`object-fit: cover`) shows the
 * middle of a face as near to the frame's middle as its edges allow. Aspects are width over height.
 */
export function positionPhoto(face: FaceBox, photoAspect: number, frameAspect: number): string {
  const across = alongOneSide(face.x + face.width / 2, photoAspect / frameAspect)
  const down = alongOneSide(face.y + face.height / 2, frameAspect / photoAspect)
  return `${across}% ${down}%`
}

/** `photoLength` counts in lengths of the frame; a photo that fits has no room to be moved. */
function alongOneSide(faceMiddle: number, photoLength: number): number {
  if (photoLength <= 1) return 50
  const position = (0.5 - faceMiddle * photoLength) / (1 - photoLength)
  return Math.round(Math.min(1, Math.max(0, position)) * 100)
}
