/** A point, in parts of a picture's width and height or of the frame that it is seen in. */
export type Point = { x: number; y: number }

/** What is seen of a picture: the point of it in the middle of its frame, and how often it is enlarged. */
export type PictureView = Point & { zoom: number }

export const wholePicture: PictureView = { x: 0.5, y: 0.5, zoom: 1 }
export const zoomMax = 6

/** Enlarges a picture so that what was at one point of the frame comes to lie at another. */
export function zoomView(view: PictureView, factor: number, from: Point, to = from): PictureView {
  const zoom = Math.min(zoomMax, Math.max(1, view.zoom * factor))
  const x = view.x + (from.x - 0.5) / view.zoom - (to.x - 0.5) / zoom
  const y = view.y + (from.y - 0.5) / view.zoom - (to.y - 0.5) / zoom
  return { x, y, zoom }
}

/** The nearest view that leaves nothing of the stage about a frame’s box empty, or as much on either side. */
export function coverStage({ x, y, zoom }: PictureView, box: DOMRect, stage: DOMRect): PictureView {
  const within = (middle: number, seen: number): number => {
    const half = Math.min(0.5, seen / zoom / 2)
    return Math.min(1 - half, Math.max(half, middle))
  }
  return { x: within(x, stage.width / box.width), y: within(y, stage.height / box.height), zoom }
}

/** The transform of the picture about the middle of its frame. */
export function viewTransform({ x, y, zoom }: PictureView): string {
  return `scale(${zoom}) translate(${50 - 100 * x}%, ${50 - 100 * y}%)`
}
