import { randomFrom } from '../../../image/random-from.ts'
import { blurCanvas, drawBeam, drawBox, drawDisc, drawGradient } from '../canvas.ts'
import type { Canvas } from '../canvas.ts'

/** An evening premiere: a wall of panels, a rope on posts, flashes. */
export function drawRedCarpet(canvas: Canvas): void {
  const random = randomFrom(11)
  drawGradient(canvas, [
    [0, [34, 18, 26]],
    [0.45, [88, 34, 40]],
    [0.66, [120, 40, 44]],
    [0.7, [92, 18, 24]],
    [1, [140, 20, 28]],
  ])
  // A wall of sponsors' panels, a rope on posts, before a dark background.
  for (let column = 0; column < 7; column++) {
    const x = (column + 0.5) / 7
    for (let row = 0; row < 4; row++) {
      const shift = row % 2 === 0 ? 0 : 0.07
      drawBox(canvas, {
        x: x - 0.035 + shift,
        y: 0.1 + row * 0.15,
        width: 0.07,
        height: 0.045,
        colour: [176, 120, 96],
        opacity: 0.35,
      })
    }
  }
  for (const x of [0.06, 0.34, 0.66, 0.94]) {
    drawBox(canvas, {
      x: x - 0.008,
      y: 0.56,
      width: 0.016,
      height: 0.26,
      colour: [214, 170, 92],
      opacity: 0.9,
    })
  }
  drawBox(canvas, { x: 0, y: 0.6, width: 1, height: 0.018, colour: [120, 14, 26], opacity: 0.8 })
  blurCanvas(canvas, 0.016)
  for (const x of [0.16, 0.5, 0.84])
    drawBeam(canvas, {
      x,
      y: -0.05,
      length: 0.5,
      spread: 0.16,
      colour: [255, 214, 170],
      strength: 0.16,
    })
  for (let i = 0; i < 26; i++) {
    const strength = 0.3 + random() * 0.9
    drawDisc(canvas, {
      x: random(),
      y: 0.02 + random() * 0.5,
      radius: 0.008 + random() * 0.022,
      colour: [255, 240, 224],
      strength,
    })
  }
  blurCanvas(canvas, 0.004)
}
