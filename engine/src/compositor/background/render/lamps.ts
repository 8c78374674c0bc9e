import { smoothstep } from '../../../image/raster.ts'
import { blurRadius, project, turnToCamera } from './camera.ts'
import type { SceneCamera, Vector } from './camera.ts'
import type { Layer, Radiance } from './layer.ts'

/** How far the lens's barrel cuts discs in the corners, in radii. */
const catsEye = 0.75

/**
 * Adds a lamp that is a point: the image of the aperture, an even disc with a slightly brighter rim,
 * cut to a cat's eye towards the corners, where the lens's barrel is in the way.
 * @param radiance of its disc
 * @param stretch factor on its height, as of a reflection in a wet street
 */
export function addLamp(
  layer: Layer,
  camera: SceneCamera,
  place: Vector,
  radiance: Radiance,
  stretch = 1,
): void {
  const seen = turnToCamera(camera, place)
  if (seen[2] < 1) return
  const { x: cx, y: cy } = project(camera, seen)
  const radius = Math.max(1.2, blurRadius(camera, seen[2]))
  const reachY = radius * stretch
  const middleX = camera.width / 2
  const middleY = camera.height / 2
  const corner = Math.hypot(middleX, middleY)
  const shift = catsEye / corner
  // A lamp is brighter than white, which would make steps of its edge: half covered is half as white.
  const softness = 1 + Math.log2(Math.max(1, ...radiance))
  const bottom = Math.min(layer.height, Math.ceil(cy + reachY + 1))
  const right = Math.min(layer.width, Math.ceil(cx + radius + 1))
  for (let y = Math.max(0, Math.floor(cy - reachY - 1)); y < bottom; y++) {
    const v = (y + 0.5 - cy) / reachY
    for (let x = Math.max(0, Math.floor(cx - radius - 1)); x < right; x++) {
      const u = (x + 0.5 - cx) / radius
      const away = Math.hypot(u, v)
      const edge = 1.5 / radius
      let cover = 1 - smoothstep(1 - edge, 1 + edge, away)
      if (cover <= 0) continue
      // The barrel is a second circle, moved towards the middle.
      const barrel = Math.hypot(u + (cx - middleX) * shift, v + (cy - middleY) * shift) / 1.12
      cover *= 1 - smoothstep(1 - edge, 1 + edge, barrel)
      cover **= softness
      if (stretch > 1.5) cover *= 1 - v * v
      cover *= 0.86 + 0.3 * smoothstep(0.62, 0.96, away)
      const at = (y * layer.width + x) * 4
      for (let c = 0; c < 3; c++) layer.data[at + c]! += radiance[c]! * cover
    }
  }
}
