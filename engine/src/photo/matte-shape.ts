import photoLimits from './photo-limits.json' with { type: 'json' }

/**
 * Alpha at or below `clearAlpha` is nothing, at or above `solidAlpha` the whole; the other limits are shares of the
 * picture, of its three borders, of the box about what is seen, and of an ellipse in it.
 */
const limits = photoLimits.matte

/**
 * Whether a photo's transparency cuts out a person, and is no mere decoration: a frame
 * around a photo, rounded corners, a round avatar, a soft vignette, a translucent logo.
 * @param alpha one byte a pixel, rows from the top, 0 transparent to 255 opaque; best at about
 *   256 pixels on the long side, as only the shape matters
 */
export function isPersonMatte(alpha: Uint8Array, widthPx: number, heightPx: number): boolean {
  const seen = survey(alpha, widthPx, heightPx)
  const pixels = widthPx * heightPx
  if (seen.clear < limits.clearMin * pixels || seen.solid < limits.solidMin * pixels) return false
  // A cut-out has soft edges, but a picture that is translucent all over is something else.
  if (seen.clear + seen.solid < limits.decidedMin * pixels) return false
  // The lower border usually cuts through the body, so only the three others are counted.
  if (seen.borderClear < limits.borderClearMin * seen.border) return false
  if (seen.solid >= limits.boxMax * seen.boxArea) return false
  return ellipseLikeness(alpha, widthPx, seen.box) < limits.ellipseMax
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

interface AlphaSurvey {
  clear: number
  solid: number
  border: number
  borderClear: number
  /** The smallest box around everything that is not clear; right and bottom are exclusive. */
  box: Box
  boxArea: number
}

function survey(alpha: Uint8Array, widthPx: number, heightPx: number): AlphaSurvey {
  const box = { left: widthPx, top: heightPx, right: 0, bottom: 0 }
  let clear = 0
  let solid = 0
  let border = 0
  let borderClear = 0
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const value = alpha[y * widthPx + x]!
      const isClear = value <= limits.clearAlpha
      if (isClear) clear++
      else grow(box, x, y)
      if (value >= limits.solidAlpha) solid++
      if (y === 0 || x === 0 || x === widthPx - 1) {
        border++
        if (isClear) borderClear++
      }
    }
  }
  const boxArea = Math.max(0, box.right - box.left) * Math.max(0, box.bottom - box.top)
  return { clear, solid, border, borderClear, box, boxArea }
}

function grow(box: Box, x: number, y: number): void {
  box.left = Math.min(box.left, x)
  box.top = Math.min(box.top, y)
  box.right = Math.max(box.right, x + 1)
  box.bottom = Math.max(box.bottom, y + 1)
}

/** Intersection over union of what is not clear and the ellipse inscribed in its box. */
function ellipseLikeness(alpha: Uint8Array, widthPx: number, box: Box): number {
  const centreX = (box.left + box.right) / 2
  const centreY = (box.top + box.bottom) / 2
  const radiusX = (box.right - box.left) / 2
  const radiusY = (box.bottom - box.top) / 2
  let both = 0
  let either = 0
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) {
      const inside =
        ((x + 0.5 - centreX) / radiusX) ** 2 + ((y + 0.5 - centreY) / radiusY) ** 2 <= 1
      const shown = alpha[y * widthPx + x]! > 127
      if (inside && shown) both++
      if (inside || shown) either++
    }
  }
  return both / Math.max(1, either)
}
