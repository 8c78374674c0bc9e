import { smoothstep } from '../../../image/raster.ts'
import { eachPixel } from '../canvas.ts'
import type { Canvas } from '../canvas.ts'

/** A grey backdrop that falls off from its middle. */
export function drawStudio(canvas: Canvas): void {
  const { width, height } = canvas
  eachPixel(canvas, (x, y, i) => {
    const away = Math.hypot((x - 0.5) * (width / height) * 1.25, y - 0.42)
    const light = 0.34 * (1 - 0.62 * smoothstep(0, 0.85, away))
    canvas.planes[0].data[i] = light * 1.02
    canvas.planes[1].data[i] = light
    canvas.planes[2].data[i] = light * 0.985
  })
}
