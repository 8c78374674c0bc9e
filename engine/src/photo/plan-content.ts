import sharp from 'sharp'
import type { PhotoPart } from './normalise.ts'

/** The long side, in pixels, that bars are looked for in. */
const sidePx = 480
/** A bar's pixels differ by no more than this (of 255), and by more from most of what lies beside it. */
const sameMax = 12
const otherMin = 20
/** Of the line beside a bar at least this part is another colour: a plain wall has no such edge. */
const edgeShareMin = 0.75
/** A bar takes at most this part of a side. */
const barMax = 0.4

/**
 * What of a photo lies within bars of one colour at its edges, as a screenshot or a frame has them;
 * undefined where it has none. People end there, though the file goes on.
 * @param photo an encoded picture that is upright, such as a normalised photo
 */
export async function planContent(photo: Uint8Array): Promise<PhotoPart | undefined> {
  const { data, info } = await sharp(photo)
    .resize(sidePx, sidePx, { fit: 'inside', kernel: 'nearest', withoutEnlargement: true })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const columns = {
    lines: width,
    length: height,
    at: (line: number, n: number) => n * width + line,
  }
  const rows = { lines: height, length: width, at: (line: number, n: number) => line * width + n }
  const [left, right] = [barOf(data, columns), barOf(data, backwards(columns))]
  const [top, bottom] = [barOf(data, rows), barOf(data, backwards(rows))]
  if (left + right + top + bottom === 0) return undefined
  return {
    left: left / width,
    top: top / height,
    width: 1 - (left + right) / width,
    height: 1 - (top + bottom) / height,
  }
}

/** Lines of pixels from one edge inwards. */
interface Lines {
  lines: number
  /** Pixels a line. */
  length: number
  /** Which pixel is the n-th of a line. */
  at: (line: number, n: number) => number
}

function backwards({ lines, length, at }: Lines): Lines {
  return { lines, length, at: (line, n) => at(lines - 1 - line, n) }
}

/** How many lines a bar takes, with the one it fades away in; 0 where there is none. */
function barOf(data: Uint8Array, { lines, length, at }: Lines): number {
  const colour = at(0, length >> 1) * 3
  const differing = (line: number, least: number): number => {
    let count = 0
    for (let n = 0; n < length; n++) {
      const pixel = at(line, n) * 3
      const away = (channel: number): number =>
        Math.abs(data[pixel + channel]! - data[colour + channel]!)
      if (Math.max(away(0), away(1), away(2)) > least) count++
    }
    return count
  }
  let bar = 0
  while (bar < barMax * lines && differing(bar, sameMax) === 0) bar++
  const isEdge = bar > 0 && differing(bar + 1, otherMin) >= edgeShareMin * length
  return isEdge && bar < barMax * lines ? bar + 1 : 0
}
