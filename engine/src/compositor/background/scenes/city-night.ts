import { randomFrom } from '../../../image/random-from.ts'
import { blurCanvas, drawBox, drawDisc, drawGradient } from '../canvas.ts'
import type { Canvas, Colour } from '../canvas.ts'

/** A street at night: dark houses with lit windows, lamps out of focus. */
export function drawCityNight(canvas: Canvas): void {
  const random = randomFrom(23)
  drawGradient(canvas, [
    [0, [14, 18, 38]],
    [0.5, [34, 34, 62]],
    [0.72, [62, 48, 66]],
    [1, [22, 20, 30]],
  ])
  for (let x = -0.02; x < 1;) {
    const wide = 0.09 + random() * 0.12
    const top = 0.08 + random() * 0.3
    drawBox(canvas, {
      x,
      y: top,
      width: wide - 0.006,
      height: 0.8 - top,
      colour: [18, 20, 34],
      opacity: 0.85,
    })
    for (let wx = x + 0.012; wx < x + wide - 0.02; wx += 0.022) {
      for (let wy = top + 0.02; wy < 0.74; wy += 0.026) {
        if (random() < 0.42) {
          const warm = random() < 0.75
          drawBox(canvas, {
            x: wx,
            y: wy,
            width: 0.012,
            height: 0.013,
            colour: warm ? [255, 206, 128] : [170, 210, 255],
            opacity: 0.9,
          })
        }
      }
    }
    x += wide
  }
  blurCanvas(canvas, 0.011)
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
    drawDisc(canvas, {
      x: random(),
      y,
      radius,
      colour: lamps[Math.floor(random() * lamps.length)]!,
      strength: 0.2 + random() * 0.5,
    })
  }
  blurCanvas(canvas, 0.003)
}
