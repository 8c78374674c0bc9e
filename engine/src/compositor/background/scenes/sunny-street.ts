import { randomFrom } from '../../../image/random-from.ts'
import { blurCanvas, drawBeam, drawBox, drawDisc, drawGradient } from '../canvas.ts'
import type { Canvas, Colour } from '../canvas.ts'

/** A street in the sun: houses on both sides, trees, a beam of light. */
export function drawSunnyStreet(canvas: Canvas): void {
  const random = randomFrom(37)
  drawGradient(canvas, [
    [0, [120, 172, 224]],
    [0.42, [204, 226, 240]],
    [0.6, [236, 232, 220]],
    [0.66, [190, 182, 170]],
    [1, [150, 146, 142]],
  ])
  drawHouses(canvas)
  drawTrees(canvas, random)
  blurCanvas(canvas, 0.016)
  for (let i = 0; i < 14; i++) {
    drawDisc(canvas, {
      x: 0.2 + random() * 0.6,
      y: 0.3 + random() * 0.3,
      radius: 0.01 + random() * 0.014,
      colour: [255, 250, 226],
      strength: 0.3,
    })
  }
  drawBeam(canvas, {
    x: 0.86,
    y: -0.1,
    length: 0.9,
    spread: 0.5,
    colour: [255, 240, 205],
    strength: 0.22,
  })
  blurCanvas(canvas, 0.004)
}

const walls: Colour[] = [
  [226, 196, 156],
  [206, 160, 130],
  [236, 220, 190],
  [190, 176, 168],
  [222, 176, 150],
]

/** On both sides, lower towards the vanishing point. */
function drawHouses(canvas: Canvas): void {
  for (const side of [0, 1]) {
    for (let n = 0; n < 5; n++) {
      const near = 1 - n / 5
      const from = side === 0 ? (1 - near) * 0.42 : 1 - (1 - near) * 0.42 - 0.1
      const top = 0.56 - near * 0.56
      const lit = side === 0 ? 0.74 : 1
      const [r, g, b] = walls[(n + side * 2) % walls.length]!
      const wall: Colour = [r * lit, g * lit, b * lit]
      drawBox(canvas, { x: from, y: top, width: 0.1, height: 0.68 - top, colour: wall, opacity: 1 })
      for (let wy = top + 0.04; wy < 0.6; wy += 0.075) {
        drawBox(canvas, {
          x: from + 0.02,
          y: wy,
          width: 0.022,
          height: 0.04,
          colour: [96, 104, 118],
          opacity: 0.75,
        })
        drawBox(canvas, {
          x: from + 0.06,
          y: wy,
          width: 0.022,
          height: 0.04,
          colour: [96, 104, 118],
          opacity: 0.75,
        })
      }
      drawBox(canvas, {
        x: from,
        y: 0.6,
        width: 0.1,
        height: 0.035,
        colour: n % 2 === 0 ? [190, 70, 60] : [70, 120, 110],
        opacity: 0.8,
      })
    }
  }
}

function drawTrees(canvas: Canvas, random: () => number): void {
  for (let i = 0; i < 60; i++) {
    const left = random() < 0.5
    const x = left ? 0.2 + random() * 0.16 : 0.66 + random() * 0.18
    const green = 90 + random() * 80
    drawBox(canvas, {
      x,
      y: 0.36 + random() * 0.2,
      width: 0.05,
      height: 0.04,
      colour: [green * 0.62, green * 0.92, 58],
      opacity: 0.6,
    })
  }
}
