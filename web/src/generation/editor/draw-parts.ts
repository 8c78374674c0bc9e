import type { ArrangedSubject, Arrangement, BrushStroke } from '@starside/contract/arrangement.ts'
import type { MovablePerson, PreviewAnswer } from '@starside/contract/variations.ts'
import type { Point } from './picture-view.ts'

/** A person with their decoded image. */
export type DrawnPerson = Omit<MovablePerson, 'image'> & { image: HTMLImageElement }

/** What an arrangement is drawn of while somebody moves. */
export interface PictureParts {
  /** Null where people alone are drawn. */
  background: HTMLImageElement | null
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
  context.clearRect(0, 0, width, height)
  if (background) {
    // One of another shape is cut, not squeezed.
    const { naturalWidth, naturalHeight } = background
    const scale = Math.max(width / naturalWidth, height / naturalHeight)
    const [across, down] = [naturalWidth * scale, naturalHeight * scale]
    context.drawImage(background, (width - across) / 2, (height - down) / 2, across, down)
  }
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
    Object.assign(scratch.canvas, { width, height })
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
export function placeOf(
  { heads, uprightDegrees }: DrawnPerson,
  { x, y, size, turnDegrees, mirrored }: ArrangedSubject,
  width: number,
  height: number,
): DOMMatrix {
  const head = heads[0]!
  const scale = (size * height) / head.size
  return new DOMMatrix()
    .translate(x * width, y * height)
    .rotate(turnDegrees)
    .scale(mirrored ? -scale : scale, scale)
    .rotate(uprightDegrees)
    .translate(-head.x, -head.y)
}

/** Where a point of the picture, in parts of it, lies on a person: in head sizes from the middle of their head. */
export function toPerson(
  person: DrawnPerson,
  subject: ArrangedSubject,
  point: Point,
  { width, height }: { width: number; height: number },
): Point {
  const place = placeOf(person, subject, width, height)
  const stretch = stretchOf(person, place, width, height)
  const y = stretch ? rowInPhoto(stretch, height, point.y * height) : point.y * height
  const at = place.inverse().transformPoint({ x: point.x * width, y })
  const { x, y: down, size } = person.heads[0]!
  return { x: (at.x - x) / size, y: (at.y - down) / size }
}

/** Rows of the picture: a body is drawn longer from the one on, so that the other comes to lie at its border. */
type Stretch = { fromRow: number; photoEnd: number }

/** Null where the photo's lower border doesn't show, or nothing can be done about it. */
function stretchOf(
  { foot, heads }: DrawnPerson,
  place: DOMMatrix,
  width: number,
  height: number,
): Stretch | null {
  if (!foot) return null
  const scale = Math.hypot(place.a, place.b)
  const aside = 0.2 * heads[0]!.size * scale
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
  context.drawImage(person, 0, 0, width, fromRow, 0, 0, width, fromRow)
  for (let y = fromRow; y < height; y += sliceRows) {
    const [from, to] = [y, y + sliceRows].map((row) => rowInPhoto(stretch, height, row))
    context.drawImage(person, 0, from!, width, to! - from!, 0, y, width, sliceRows)
  }
}

type Retouched = { strokes: readonly BrushStroke[]; canvas: HTMLCanvasElement }
/** Kept of each image: who is moved keeps their strokes, and a stroke that grows its canvas. */
const known = new WeakMap<HTMLImageElement, Retouched>()

/** A person's image as the strokes of a brush leave it, as the server will do it; to be drawn at once. */
export function retouched(person: DrawnPerson, strokes: readonly BrushStroke[] = []) {
  const { image } = person
  if (strokes.length === 0) return image
  const before = known.get(image)
  if (before?.strokes === strokes) return before.canvas
  const canvas = before?.canvas ?? document.createElement('canvas')
  const context = emptied(canvas, person)
  if (!context) return image
  context.drawImage(image, 0, 0)
  for (const stroke of strokes) {
    const isErased = stroke.kind === 'erase'
    const part = isErased ? null : partUnder(person, stroke)
    context.globalCompositeOperation = isErased ? 'destination-out' : 'source-over'
    if (isErased) drawStroke(context, person, stroke)
    // Twice, as faint parts come back stronger than they were.
    for (const each of part ? [part, part] : []) context.drawImage(each.canvas, 0, 0)
  }
  known.set(image, { strokes, canvas })
  return canvas
}

/** Whether a stroke lies on any of a person; one that doesn't changes nothing. */
export function touches(person: DrawnPerson, stroke: BrushStroke): boolean {
  const part = partUnder(person, stroke)
  if (!part) return true
  const { data } = part.getImageData(0, 0, person.widthPx, person.heightPx)
  // Fainter parts of a person aren't seen.
  return data.some((value, n) => n % 4 === 3 && value > 25)
}

/** Whether anything of a person lies at a point of the picture; takes what {@link toPerson} does. */
export function isSeenAt(...where: Parameters<typeof toPerson>): boolean {
  const [person, subject] = where
  const [at, head] = [toPerson(...where), person.heads[0]!]
  const pixel = document.createElement('canvas').getContext('2d')
  const [x, y] = [head.x + at.x * head.size, head.y + at.y * head.size]
  pixel?.drawImage(retouched(person, subject.retouch), -x, -y)
  return (pixel?.getImageData(0, 0, 1, 1).data[3] ?? 0) > 127
}

/** One for whatever stroke is looked at by itself. */
let strokeCanvas: HTMLCanvasElement | undefined

/** What a stroke lies on of a person, until another one is asked for. */
function partUnder(person: DrawnPerson, stroke: BrushStroke): CanvasRenderingContext2D | null {
  const context = emptied((strokeCanvas ??= document.createElement('canvas')), person)
  if (!context) return null
  drawStroke(context, person, stroke)
  context.globalCompositeOperation = 'source-in'
  context.drawImage(person.image, 0, 0)
  return context
}

/** A canvas, as large as a person's image, with nothing left of what it has held. */
function emptied(canvas: HTMLCanvasElement, { widthPx: width, heightPx: height }: DrawnPerson) {
  return Object.assign(canvas, { width, height }).getContext('2d')
}

/** Lines within each other fade out in so many steps. */
const fadeSteps = 8

function drawStroke(
  context: CanvasRenderingContext2D,
  { heads }: DrawnPerson,
  { points, size, softness }: BrushStroke,
): void {
  const head = heads[0]!
  context.save()
  context.setTransform(head.size, 0, 0, head.size, head.x, head.y)
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
