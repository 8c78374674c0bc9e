/** Longest side of what the browser uploads, in pixels. */
const uploadSideMaxPx = 2048

/**
 * The size at which a photo is uploaded: its own, or scaled so that the longer side is `sideMaxPx`.
 * Whole pixels, never below 1.
 */
export function downscaleSize(
  widthPx: number,
  heightPx: number,
  sideMaxPx: number = uploadSideMaxPx,
): { widthPx: number; heightPx: number } {
  const scale = Math.min(1, sideMaxPx / Math.max(widthPx, heightPx))
  return {
    widthPx: Math.max(1, Math.round(widthPx * scale)),
    heightPx: Math.max(1, Math.round(heightPx * scale)),
  }
}
