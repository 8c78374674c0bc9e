import { expect, it } from 'vitest'
import { viewTransform, wholePicture, zoomMax, zoomView } from './picture-view.ts'

it('enlarges about a point, which stays where it is', () => {
  const view = zoomView(wholePicture, 2, { x: 0.6, y: 0.4 })
  expect(view).toEqual({ zoom: 2, left: 0.3, top: 0.2 })
  expect(viewTransform(view)).toBe('scale(2) translate(-30%, -20%)')
})

it('follows fingers that move, and never shows anything beside the picture', () => {
  const view = zoomView(wholePicture, 2, { x: 0.5, y: 0.5 }, { x: 0.4, y: 0.5 })
  expect(view).toEqual({ zoom: 2, left: 0.3, top: 0.25 })
  expect(zoomView(view, 1, { x: 1, y: 1 }, { x: 0, y: 0 })).toEqual({
    zoom: 2,
    left: 0.5,
    top: 0.5,
  })
  expect(zoomView(view, 0.1, { x: 0.9, y: 0 })).toEqual(wholePicture)
  expect(zoomView(view, 100, { x: 0.5, y: 0.5 }).zoom).toBe(zoomMax)
})
