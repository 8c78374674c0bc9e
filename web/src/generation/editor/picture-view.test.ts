import { expect, it } from 'vitest'
import { coverStage, viewTransform, wholePicture, zoomMax, zoomView } from './picture-view.ts'

const frame = new DOMRect(0, 0, 80, 100)

it('enlarges about a point, which stays where it is', () => {
  const view = zoomView(wholePicture, 2, { x: 0.75, y: 0.25 })
  expect(view).toEqual({ zoom: 2, x: 0.625, y: 0.375 })
  expect(viewTransform(view)).toBe('scale(2) translate(-12.5%, 12.5%)')
  expect(zoomView(view, 100, wholePicture).zoom).toBe(zoomMax)
})

it('follows fingers that move, and never shows anything beside the picture', () => {
  const view = zoomView(wholePicture, 2, { x: 0.5, y: 0.5 }, { x: 0.4, y: 0.5 })
  expect(view).toEqual({ zoom: 2, x: 0.55, y: 0.5 })
  const moved = zoomView(view, 1, { x: 1, y: 1 }, { x: 0, y: 0 })
  expect(coverStage(moved, frame, frame)).toEqual({ zoom: 2, x: 0.75, y: 0.75 })
  expect(coverStage(zoomView(view, 0.1, { x: 0.9, y: 0 }), frame, frame)).toEqual(wholePicture)
})

it('covers a stage that is wider than its frame, from edge to edge once it is as wide', () => {
  const stage = new DOMRect(0, 0, 200, 100)
  const at = (zoom: number, x: number) => coverStage({ zoom, x, y: 0.5 }, frame, stage).x
  expect([at(1, 0), at(2, 0.1), at(2, 1)], 'in the middle').toEqual([0.5, 0.5, 0.5])
  expect([at(5, 0), at(5, 0.6), at(5, 1)]).toEqual([0.25, 0.6, 0.75])
})
