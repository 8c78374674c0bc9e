import { gaussianBlur } from '../../image/box-blur.ts'
import type { ColourPlanes } from '../../image/colour-planes.ts'
import { createPlane, smoothstep } from '../../image/raster.ts'
import type { Plane } from '../../image/raster.ts'
import { linearOfSrgb, srgbOfLinear } from '../../image/srgb.ts'

/** Red, green and blue, 8-bit sRGB. */
export type Colour = readonly [number, number, number]

/**
 * A canvas in linear light, so that out-of-focus lamps stay bright when they are blurred.
 * Positions are fractions of the width and of the height.
 */
export interface Canvas {
  width: number
  height: number
  planes: [Plane, Plane, Plane]
}

export function createCanvas(width: number, height: number): Canvas {
  const plane = (): Plane => createPlane(width, height)
  return { width, height, planes: [plane(), plane(), plane()] }
}

/** What was drawn, 0…255 sRGB. */
export function developCanvas({ planes }: Canvas): ColourPlanes {
  const [red, green, blue] = planes
  const develop = ({ data, width, height }: Plane): Plane => ({
    data: data.map((value) => srgbOfLinear(value)),
    width,
    height,
  })
  return [develop(red), develop(green), develop(blue)]
}

/** Calls back for every pixel with its position and index. */
export function eachPixel(canvas: Canvas, paint: (x: number, y: number, i: number) => void): void {
  for (let y = 0, i = 0; y < canvas.height; y++) {
    for (let x = 0; x < canvas.width; x++, i++) {
      paint((x + 0.5) / canvas.width, (y + 0.5) / canvas.height, i)
    }
  }
}

function linearColour(colour: Colour): Colour {
  const linear = (value: number): number => linearOfSrgb[Math.min(255, Math.round(value))]!
  return [linear(colour[0]), linear(colour[1]), linear(colour[2])]
}

/** Colours at heights, with smooth steps between them. */
export function drawGradient(canvas: Canvas, stops: readonly (readonly [number, Colour])[]): void {
  const colours = stops.map(([at, colour]) => ({ at, colour: linearColour(colour) }))
  eachPixel(canvas, (_x, y, i) => {
    const next = Math.max(
      1,
      colours.findIndex((stop) => stop.at >= y),
    )
    const low = colours[next - 1]!
    const high = colours[next]!
    const t = smoothstep(low.at, high.at, y)
    for (let c = 0; c < 3; c++) {
      canvas.planes[c]!.data[i] = low.colour[c]! * (1 - t) + high.colour[c]! * t
    }
  })
}

interface Box {
  x: number
  y: number
  width: number
  height: number
  colour: Colour
  opacity: number
}

export function drawBox(canvas: Canvas, { x, y, width, height, colour, opacity }: Box): void {
  const paint = linearColour(colour)
  const x0 = Math.max(0, Math.round(x * canvas.width))
  const x1 = Math.min(canvas.width, Math.round((x + width) * canvas.width))
  const y0 = Math.max(0, Math.round(y * canvas.height))
  const y1 = Math.min(canvas.height, Math.round((y + height) * canvas.height))
  for (let row = y0; row < y1; row++) {
    for (let column = x0; column < x1; column++) {
      const i = row * canvas.width + column
      for (let c = 0; c < 3; c++) {
        const plane = canvas.planes[c]!.data
        plane[i] = plane[i]! * (1 - opacity) + paint[c]! * opacity
      }
    }
  }
}

interface Disc {
  x: number
  y: number
  /** In picture heights. */
  radius: number
  colour: Colour
  strength: number
}

/** A lamp out of focus: an even disc, a little brighter at its rim. */
export function drawDisc(canvas: Canvas, { x, y, radius, colour, strength }: Disc): void {
  const paint = linearColour(colour)
  const r = Math.max(1.2, radius * canvas.height)
  const cx = x * canvas.width
  const cy = y * canvas.height
  for (
    let row = Math.max(0, Math.floor(cy - r - 1));
    row < Math.min(canvas.height, cy + r + 2);
    row++
  ) {
    for (
      let column = Math.max(0, Math.floor(cx - r - 1));
      column < Math.min(canvas.width, cx + r + 2);
      column++
    ) {
      const away = Math.hypot(column + 0.5 - cx, row + 0.5 - cy) / r
      const cover = (1 - smoothstep(0.86, 1.1, away)) * (0.75 + 0.25 * smoothstep(0.5, 0.9, away))
      if (cover <= 0) continue
      const i = row * canvas.width + column
      for (let c = 0; c < 3; c++) canvas.planes[c]!.data[i]! += paint[c]! * cover * strength
    }
  }
}

interface Beam {
  x: number
  y: number
  length: number
  /** How much wider it gets, per length. */
  spread: number
  colour: Colour
  strength: number
}

/** A soft cone of light from (x, y) downwards. */
export function drawBeam(canvas: Canvas, beam: Beam): void {
  const { x, y, length, spread, colour, strength } = beam
  const paint = linearColour(colour)
  eachPixel(canvas, (px, py, i) => {
    const down = (py - y) / length
    if (down <= 0) return
    const across = Math.abs(px - x) / (0.02 + spread * down)
    const light = strength * Math.exp(-across * across * 2) * Math.exp(-down * 1.2)
    for (let c = 0; c < 3; c++) canvas.planes[c]!.data[i]! += paint[c]! * light
  })
}

/** @param sigma in picture heights */
export function blurCanvas(canvas: Canvas, sigma: number): void {
  const blurred = (plane: Plane): Plane => gaussianBlur(plane, sigma * canvas.height)
  const [red, green, blue] = canvas.planes
  canvas.planes = [blurred(red), blurred(green), blurred(blue)]
}
