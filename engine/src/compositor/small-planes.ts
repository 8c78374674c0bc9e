/**
 * How many times smaller than the picture what is soft about it is made. A preview's planes have half the
 * shrink: the smallest blur reaches as far in pixels, so it would reach twice as far in head sizes.
 * @param usual for pictures of full size; even
 */
export function shrinkFor(
  usual: number,
  { width, height }: { width: number; height: number },
): number {
  return Math.max(width, height) <= previewSideMax ? usual / 2 : usual
}

/** No picture of full size has so short a long side. */
const previewSideMax = 640
