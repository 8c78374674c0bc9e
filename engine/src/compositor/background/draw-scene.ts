import type { ColourPlanes } from '../../image/colour-planes.ts'
import type { Scene } from '../../image-provider.ts'
import { createCanvas, developCanvas } from './canvas.ts'
import type { Canvas, Colour } from './canvas.ts'
import { drawCityNight } from './scenes/city-night.ts'
import { drawRedCarpet } from './scenes/red-carpet.ts'
import { drawStudio } from './scenes/studio.ts'
import { drawSunnyStreet } from './scenes/sunny-street.ts'

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

/** Draws a scene as a lens with a wide aperture sees it behind two people. 0…255 sRGB planes. */
export function drawScene(scene: DrawnScene, width: number, height: number): ColourPlanes {
  const canvas = createCanvas(width, height)
  painters[scene](canvas)
  return developCanvas(canvas)
}

const painters: Record<DrawnScene, (canvas: Canvas) => void> = {
  'red-carpet': drawRedCarpet,
  'city-night': drawCityNight,
  'sunny-street': drawSunnyStreet,
  studio: drawStudio,
}
