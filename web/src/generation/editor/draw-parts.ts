import type { ArrangedSubject, Arrangement, BrushStroke } from '@starside/contract/arrangement.ts'
import type { MovablePerson, PreviewAnswer } from '@starside/contract/variations.ts'
import type { Point } from './picture-view.ts'

/** A person with their decoded image. */
export interface DrawnPerson extends Omit<MovablePerson, 'image'> {
  image: HTMLImageElement
}

/** What an arrangement is drawn of while somebody moves. */
export interface PictureParts {
  background: HTMLImageElement
  /** The brand mark on the background, which nobody covers. */
  markBox: PreviewAnswer['markBox']
  /** In the order of an arrangement's subjects. */
  people: readonly DrawnPerson[]
}

/** Draws a picture's parts where the server will draw them; `scratch` may hold anything. */
export function drawParts(
  context: CanvasRenderingContext2D,
  scratch: CanvasRenderingContext2D,
  { background, markBox, people }: PictureParts,
  { subjects, frontToBack }: Pick<Arrangement, 'subjects' | 'frontToBack'>,
): void {
  const { width, height } = context.canvas
  // One of another shape is cut, not squeezed.
  const { naturalWidth, naturalHeight } = background
  const scale = Math.max(width / naturalWidth, height / naturalHeight)
  const [across, down] = [naturalWidth * scale, naturalHeight * scale]
  context.drawImage(background, (width - across) / 2, (height - down) / 2, across, down)
  context.save()
  if (markBox) {
    const { x, y, ...mark } = markBox
    context.beginPath()
    context.rect(0, 0, width, height)
    context.rect(x * width, y * height, mark.width * width, mark.height * height)
    context.clip('evenodd')
  }
  for (const index of frontToBack.toReversed()) {
    const [person, subject] = [people[index], subjects[index]]
    if (!person || !subject) continue
    scratch.canvas.width = width
    scratch.canvas.height = height
    const place = placeOf(person, subject, width, height)
    scratch.setTransform(place)
    scratch.drawImage(retouched(person, subject.retouch), 0, 0)
    const stretch = stretchOf(person, place, width, height)
    if (stretch) drawLonger(context, scratch.canvas, stretch)
    else context.drawImage(scratch.canvas, 0, 0)
  }
  context.restore()
}

/** From a person's image to the picture. */
function placeOf(
  { headX, headY, headSize, uprightDegrees }: DrawnPerson,
  { x, y, size, turnDegrees, mirrored }: ArrangedSubject,
  width: number,
  height: number,
): DOMMatrix {
  const scale = (size * height) / headSize
  return new DOMMatrix()
    .translate(x * width, y * height)
    .rotate(turnDegrees)
    .scale(mirrored ? -scale : scale, scale)
    .rotate(uprightDegrees)
    .translate(-headX, -headY)
}

/** The box about a head with its hair, as it stands without a turn, in head sizes from its middle. */
export function headBox(person: DrawnPerson, mirrored: boolean) {
  // Looked at in a square of two head sizes, which ends above the shoulders.
  const [side, place] = [40, { x: 0.5, y: 0.8, size: 0.5, turnDegrees: 0, mirrored }]
  const context = openCanvas(side, side)
  context?.setTransform(placeOf(person, place, side, side))
  context?.drawImage(person.image, 0, 0)
  const { data } = context?.getImageData(0, 0, side, side) ?? { data: [] }
  const seen = [...Array(side ** 2).keys()].filter((n) => (data[4 * n + 3] ?? 0) > 127)
  const columns = seen.map((n) => n % side)
  const inHeads = (pixels: number) => (2 * pixels) / side
  // A pixel aside, where hair is too fine to be seen.
  return {
    left: Math.min(-0.6, inHeads(Math.min(...columns) - 1) - 1),
    top: inHeads(Math.floor((seen[0] ?? 0) / side) - 1) - 1.6,
    right: Math.max(0.6, inHeads(Math.max(...columns) + 2) - 1),
    bottom: 0.6,
  }
}

/** Where a point of the picture, in parts of it, lies on a person: in head sizes from the middle of their head. */
export function toPerson(
  person: DrawnPerson,
  subject: ArrangedSubject,
  point: Point,
  shape: { width: number; height: number },
): Point {
  // Of any size: only the shape counts.
  const [width, height] = [shape.width * 100, shape.height * 100]
  const place = placeOf(person, subject, width, height)
  const stretch = stretchOf(person, place, width, height)
  const y = stretch ? rowInPhoto(stretch, height, point.y * height) : point.y * height
  const at = place.inverse().transformPoint({ x: point.x * width, y })
  return { x: (at.x - person.headX) / person.headSize, y: (at.y - person.headY) / person.headSize }
}

/** Rows of the picture: a body is drawn longer from the one on, so that the other comes to lie at its border. */
interface Stretch {
  fromRow: number
  photoEnd: number
}

/** Null where the photo's lower border doesn't show, or nothing can be done about it. */
function stretchOf(
  { foot, headSize }: DrawnPerson,
  place: DOMMatrix,
  width: number,
  height: number,
): Stretch | null {
  if (!foot) return null
  const scale = Math.hypot(place.a, place.b)
  const aside = 0.2 * headSize * scale
  const ends = [foot.left, foot.right].map((x) => place.transformPoint({ x, y: foot.y }))
  const shown = ends.filter(({ x }) => x > -aside && x < width + aside)
  const photoEnd = Math.min(...shown.map(({ y }) => y))
  const middle = place.transformPoint({ x: foot.middleX, y: foot.middleY })
  const fromRow = Math.max(0, middle.y + foot.stretchBelow * scale)
  const isReached = photoEnd >= height || photoEnd - fromRow < height / 108 || fromRow >= height
  return isReached ? null : { fromRow, photoEnd }
}

const sliceRows = 8

/** The row that is drawn longer down to a row; as the server does it, little at first and more towards the border. */
function rowInPhoto({ fromRow, photoEnd }: Stretch, height: number, y: number): number {
  if (y <= fromRow) return y
  const there = photoEnd - fromRow
  const longer = (height - fromRow) / there
  const start = 1 + (longer - 1) * 0.4
  const t = Math.min(1, (y - fromRow) / (height - fromRow))
  return fromRow + (there * (start * t + (longer - start) * t * t)) / longer
}

function drawLonger(
  context: CanvasRenderingContext2D,
  person: HTMLCanvasElement,
  stretch: Stretch,
): void {
  const { width, height } = person
  const { fromRow } = stretch
  const rowAt = (y: number): number => rowInPhoto(stretch, height, y)
  context.drawImage(person, 0, 0, width, fromRow, 0, 0, width, fromRow)
  for (let y = fromRow; y < height; y += sliceRows) {
    const [from, rows] = [rowAt(y), rowAt(y + sliceRows) - rowAt(y)]
    context.drawImage(person, 0, from, width, rows, 0, y, width, sliceRows)
  }
}

/** The last of each image: who is moved keeps their strokes. */
const known = new WeakMap<
  HTMLImageElement,
  { strokes: readonly BrushStroke[]; canvas: HTMLCanvasElement }
>()

/** A person's image as the strokes of a brush leave it, as the server will do it. */
export function retouched(
  person: DrawnPerson,
  strokes: readonly BrushStroke[] = [],
): CanvasImageSource {
  const { image, widthPx, heightPx } = person
  if (strokes.length === 0) return image
  const before = known.get(image)
  if (before?.strokes === strokes) return before.canvas
  const [context, other] = [openCanvas(widthPx, heightPx), openCanvas(widthPx, heightPx)]
  if (!context || !other) return image
  context.drawImage(image, 0, 0)
  for (const stroke of strokes) {
    if (stroke.kind === 'erase') {
      context.globalCompositeOperation = 'destination-out'
      drawStroke(context, person, stroke)
      continue
    }
    other.globalCompositeOperation = 'source-over'
    other.clearRect(0, 0, widthPx, heightPx)
    drawStroke(other, person, stroke)
    other.globalCompositeOperation = 'source-in'
    other.drawImage(image, 0, 0)
    context.globalCompositeOperation = 'source-over'
    // Twice, as faint parts come back stronger than they were.
    for (let n = 0; n < 2; n++) context.drawImage(other.canvas, 0, 0)
  }
  known.set(image, { strokes, canvas: context.canvas })
  return context.canvas
}

/** Whether a stroke lies on any of a person; one that doesn't changes nothing. */
export function touches(person: DrawnPerson, stroke: BrushStroke): boolean {
  const { widthPx, heightPx } = person
  const context = openCanvas(widthPx, heightPx)
  if (!context) return true
  drawStroke(context, person, stroke)
  context.globalCompositeOperation = 'source-in'
  context.drawImage(person.image, 0, 0)
  const { data } = context.getImageData(0, 0, widthPx, heightPx)
  // Fainter parts of a person aren't seen.
  return data.some((value, n) => n % 4 === 3 && value > 25)
}

function openCanvas(width: number, height: number): CanvasRenderingContext2D | null {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  return canvas.getContext('2d')
}

/** Lines within each other fade out in so many steps. */
const fadeSteps = 8

function drawStroke(
  context: CanvasRenderingContext2D,
  { headX, headY, headSize }: DrawnPerson,
  { points, size, softness }: BrushStroke,
): void {
  context.save()
  context.setTransform(headSize, 0, 0, headSize, headX, headY)
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.beginPath()
  for (const { x, y } of points) context.lineTo(x, y)
  // A point by itself would draw nothing.
  const last = points.at(-1)
  if (last) context.lineTo(last.x + 0.001, last.y)
  for (let n = 0; n < fadeSteps; n++) {
    context.lineWidth = size * (1 - (softness * (n + 0.5)) / fadeSteps)
    // Together with the lines about it, as strong as a step more.
    context.globalAlpha = 1 / (fadeSteps - n)
    context.stroke()
  }
  context.restore()
}
