/** A point, in parts of a picture's width and height or of the frame that it is seen in. */
export interface Point {
  x: number
  y: number
}

/** What is seen of a picture: its corner, in parts of the picture, and how often it is enlarged. */
export interface PictureView {
  left: number
  top: number
  zoom: number
}

export const wholePicture: PictureView = { left: 0, top: 0, zoom: 1 }
export const zoomMax = 6

/** Enlarges a picture so that what was at one point of the frame comes to lie at another. */
export function zoomView(view: PictureView, factor: number, from: Point, to = from): PictureView {
  const zoom = Math.min(zoomMax, Math.max(1, view.zoom * factor))
  const within = (corner: number): number => Math.min(1 - 1 / zoom, Math.max(0, corner))
  return {
    zoom,
    left: within(view.left + from.x / view.zoom - to.x / zoom),
    top: within(view.top + from.y / view.zoom - to.y / zoom),
  }
}

/** The transform of the picture within its frame. */
export function viewTransform({ left, top, zoom }: PictureView): string {
  return `scale(${zoom}) translate(${-100 * left}%, ${-100 * top}%)`
}
