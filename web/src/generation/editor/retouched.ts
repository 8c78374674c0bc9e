import type { BrushStroke } from '@starside/contract/arrangement.ts'
import type { DrawnPerson } from './draw-parts.ts'

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
  const canvas = before?.canvas ?? document.createElement('canvas')
  const mask = document.createElement('canvas')
  for (const each of [canvas, mask]) Object.assign(each, { width: widthPx, height: heightPx })
  const [context, other] = [canvas.getContext('2d'), mask.getContext('2d')]
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
    for (let n = 0; n < 2; n++) context.drawImage(mask, 0, 0)
  }
  known.set(image, { strokes, canvas })
  return canvas
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
