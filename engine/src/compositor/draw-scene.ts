import type { Scene } from '../image-provider.ts'
import type { ColourPlanes } from './colour-planes.ts'
import { gaussianBlur } from './box-blur.ts'
import { createPlane, smoothstep } from './raster.ts'
import type { Plane } from './raster.ts'
import { randomFrom } from './random-from.ts'
import { linearOfSrgb, srgbOfLinear } from './srgb.ts'

type Colour = readonly [number, number, number]
type DrawnScene = Exclude<Scene, 'own'>

/** What a scene does to the light on the people in it. */
export interface SceneLight {
  /** Factors on linear red, green and blue of both people. */
  tint: Colour
  /** Change of exposure in stops. */
  stops: number
}

export const sceneLights: Record<DrawnScene, SceneLight> = {
  'red-carpet': { tint: [1.03, 1, 0.97], stops: 0.05 },
  'city-night': { tint: [0.97, 0.99, 1.05], stops: -0.22 },
  'sunny-street': { tint: [1.03, 1.005, 0.96], stops: 0.12 },
  studio: { tint: [1, 1, 1], stops: 0 },
}

/**
 * A canvas in linear light, so that out-of-focus lamps stay bright when they are blurred.
 * Positions are fractions of the width and of the height.
 */
interface Canvas {
  width: number
  height: number
  planes: [Plane, Plane, Plane]
}

/** Draws a scene as a lens with a wide aperture sees it behind two people. 0…255 sRGB planes. */
export function drawScene(scene: DrawnScene, width: number, height: number): ColourPlanes {
  const canvas: Canvas = {
    width,
    height,
    planes: [createPlane(width, height), createPlane(width, height), createPlane(width, height)],
  }
  const painters = {
    'red-carpet': drawRedCarpet,
    'city-night': drawCityNight,
    'sunny-street': drawSunnyStreet,
    studio: drawStudio,
  }
  painters[scene](canvas)
  return canvas.planes.map((plane) => {
    const result = createPlane(width, height)
    for (let i = 0; i < plane.data.length; i++) result.data[i] = srgbOfLinear(plane.data[i]!)
    return result
  }) as unknown as ColourPlanes
}

function drawRedCarpet(canvas: Canvas): void {
  const random = randomFrom(11)
  gradient(canvas, [
    [0, [34, 18, 26]],
    [0.45, [88, 34, 40]],
    [0.66, [120, 40, 44]],
    [0.7, [92, 18, 24]],
    [1, [140, 20, 28]],
  ])
  // A wall of sponsors' panels, a rope on posts, and the crowd's darkness behind.
  for (let column = 0; column < 7; column++) {
    const x = (column + 0.5) / 7
    for (let row = 0; row < 4; row++) {
      const shift = row % 2 === 0 ? 0 : 0.07
      box(canvas, x - 0.035 + shift, 0.1 + row * 0.15, 0.07, 0.045, [176, 120, 96], 0.35)
    }
  }
  for (const x of [0.06, 0.34, 0.66, 0.94]) {
    box(canvas, x - 0.008, 0.56, 0.016, 0.26, [214, 170, 92], 0.9)
  }
  box(canvas, 0, 0.6, 1, 0.018, [120, 14, 26], 0.8)
  blur(canvas, 0.016)
  for (const x of [0.16, 0.5, 0.84]) beam(canvas, x, -0.05, 0.5, 0.16, [255, 214, 170], 0.16)
  for (let i = 0; i < 26; i++) {
    const strength = 0.3 + random() * 0.9
    disc(
      canvas,
      random(),
      0.02 + random() * 0.5,
      0.008 + random() * 0.022,
      [255, 240, 224],
      strength,
    )
  }
  blur(canvas, 0.004)
}

function drawCityNight(canvas: Canvas): void {
  const random = randomFrom(23)
  gradient(canvas, [
    [0, [14, 18, 38]],
    [0.5, [34, 34, 62]],
    [0.72, [62, 48, 66]],
    [1, [22, 20, 30]],
  ])
  for (let x = -0.02; x < 1;) {
    const wide = 0.09 + random() * 0.12
    const top = 0.08 + random() * 0.3
    box(canvas, x, top, wide - 0.006, 0.8 - top, [18, 20, 34], 0.85)
    for (let wx = x + 0.012; wx < x + wide - 0.02; wx += 0.022) {
      for (let wy = top + 0.02; wy < 0.74; wy += 0.026) {
        if (random() < 0.42) {
          const warm = random() < 0.75
          box(canvas, wx, wy, 0.012, 0.013, warm ? [255, 206, 128] : [170, 210, 255], 0.9)
        }
      }
    }
    x += wide
  }
  blur(canvas, 0.011)
  const lamps: Colour[] = [
    [255, 170, 80],
    [255, 214, 150],
    [255, 92, 70],
    [110, 230, 220],
    [150, 150, 255],
  ]
  for (let i = 0; i < 46; i++) {
    const y = 0.4 + random() * 0.5
    const radius = 0.012 + random() * 0.028
    disc(
      canvas,
      random(),
      y,
      radius,
      lamps[Math.floor(random() * lamps.length)]!,
      0.2 + random() * 0.5,
    )
  }
  blur(canvas, 0.003)
}

function drawSunnyStreet(canvas: Canvas): void {
  const random = randomFrom(37)
  gradient(canvas, [
    [0, [120, 172, 224]],
    [0.42, [204, 226, 240]],
    [0.6, [236, 232, 220]],
    [0.66, [190, 182, 170]],
    [1, [150, 146, 142]],
  ])
  const walls: Colour[] = [
    [226, 196, 156],
    [206, 160, 130],
    [236, 220, 190],
    [190, 176, 168],
    [222, 176, 150],
  ]
  // Houses on both sides, lower towards the vanishing point.
  for (const side of [0, 1]) {
    for (let n = 0; n < 5; n++) {
      const near = 1 - n / 5
      const from = side === 0 ? (1 - near) * 0.42 : 1 - (1 - near) * 0.42 - 0.1
      const top = 0.56 - near * 0.56
      const lit = side === 0 ? 0.74 : 1
      const wall = walls[(n + side * 2) % walls.length]!.map(
        (value) => value * lit,
      ) as unknown as Colour
      box(canvas, from, top, 0.1, 0.68 - top, wall, 1)
      for (let wy = top + 0.04; wy < 0.6; wy += 0.075) {
        box(canvas, from + 0.02, wy, 0.022, 0.04, [96, 104, 118], 0.75)
        box(canvas, from + 0.06, wy, 0.022, 0.04, [96, 104, 118], 0.75)
      }
      box(canvas, from, 0.6, 0.1, 0.035, n % 2 === 0 ? [190, 70, 60] : [70, 120, 110], 0.8)
    }
  }
  for (let i = 0; i < 60; i++) {
    const left = random() < 0.5
    const x = left ? 0.2 + random() * 0.16 : 0.66 + random() * 0.18
    const green = 90 + random() * 80
    box(canvas, x, 0.36 + random() * 0.2, 0.05, 0.04, [green * 0.62, green * 0.92, 58], 0.6)
  }
  blur(canvas, 0.016)
  for (let i = 0; i < 14; i++) {
    disc(
      canvas,
      0.2 + random() * 0.6,
      0.3 + random() * 0.3,
      0.01 + random() * 0.014,
      [255, 250, 226],
      0.3,
    )
  }
  beam(canvas, 0.86, -0.1, 0.9, 0.5, [255, 240, 205], 0.22)
  blur(canvas, 0.004)
}

function drawStudio(canvas: Canvas): void {
  const { width, height } = canvas
  each(canvas, (x, y, i) => {
    const away = Math.hypot((x - 0.5) * (width / height) * 1.25, y - 0.42)
    const light = 0.34 * (1 - 0.62 * smoothstep(0, 0.85, away))
    canvas.planes[0].data[i] = light * 1.02
    canvas.planes[1].data[i] = light
    canvas.planes[2].data[i] = light * 0.985
  })
}

function each(canvas: Canvas, paint: (x: number, y: number, i: number) => void): void {
  for (let y = 0, i = 0; y < canvas.height; y++) {
    for (let x = 0; x < canvas.width; x++, i++) {
      paint((x + 0.5) / canvas.width, (y + 0.5) / canvas.height, i)
    }
  }
}

function linearColour(colour: Colour): [number, number, number] {
  return colour.map((value) => linearOfSrgb[Math.min(255, Math.round(value))]!) as [
    number,
    number,
    number,
  ]
}

function gradient(canvas: Canvas, stops: readonly (readonly [number, Colour])[]): void {
  const colours = stops.map(([at, colour]) => ({ at, colour: linearColour(colour) }))
  each(canvas, (_x, y, i) => {
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

function box(
  canvas: Canvas,
  x: number,
  y: number,
  width: number,
  height: number,
  colour: Colour,
  opacity: number,
): void {
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

/** A lamp out of focus: an even disc, a little brighter at its rim. Radius in picture heights. */
function disc(
  canvas: Canvas,
  x: number,
  y: number,
  radius: number,
  colour: Colour,
  strength: number,
): void {
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

/** A soft cone of light from (x, y) downwards. */
function beam(
  canvas: Canvas,
  x: number,
  y: number,
  length: number,
  spread: number,
  colour: Colour,
  strength: number,
): void {
  const paint = linearColour(colour)
  each(canvas, (px, py, i) => {
    const down = (py - y) / length
    if (down <= 0) return
    const across = Math.abs(px - x) / (0.02 + spread * down)
    const light = strength * Math.exp(-across * across * 2) * Math.exp(-down * 1.2)
    for (let c = 0; c < 3; c++) canvas.planes[c]!.data[i]! += paint[c]! * light
  })
}

function blur(canvas: Canvas, sigma: number): void {
  canvas.planes = canvas.planes.map((plane) => gaussianBlur(plane, sigma * canvas.height)) as [
    Plane,
    Plane,
    Plane,
  ]
}
