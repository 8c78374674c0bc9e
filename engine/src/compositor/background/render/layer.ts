import { turnToCamera } from './camera.ts'
import type { SceneCamera, Vector } from './camera.ts'

/** Linear radiance, red, green and blue; 1 is white paper in the scene's light. May exceed 1. */
export type Radiance = readonly [number, number, number]

/** What lies at one depth: four floats a pixel, linear light times coverage, and coverage. */
export interface Layer {
  width: number
  height: number
  data: Float32Array
}

export function createLayer({ width, height }: { width: number; height: number }): Layer {
  return { width, height, data: new Float32Array(width * height * 4) }
}

/** Takes the colour and the coverage of one place of a surface. */
export type Pixel = [red: number, green: number, blue: number, coverage: number]

/**
 * The colour of a surface at a place: metres along its two axes and metres from the camera. Writes
 * into the pixel, whose coverage is 1 before.
 */
export type Shade = (s: number, t: number, z: number, pixel: Pixel) => void

/** A rectangle in space. */
export interface Surface {
  /** Its corner, from the camera. */
  origin: Vector
  /** Unit vectors along its sides. */
  across: Vector
  up: Vector
  /** Metres; Infinity where it has no end. */
  width: number
  height: number
}

/** Nothing nearer is drawn: the people stand there. */
const nearest = 1

/** Paints a surface in perspective over what the layer has. */
export function paintSurface(
  layer: Layer,
  camera: SceneCamera,
  place: Surface,
  shade: Shade,
): void {
  const surface = {
    ...place,
    origin: turnToCamera(camera, place.origin),
    across: turnToCamera(camera, place.across),
    up: turnToCamera(camera, place.up),
  }
  const { origin, across, up, width, height } = surface
  const normal = cross(across, up)
  const plane = dot(normal, origin)
  const pixel: Pixel = [0, 0, 0, 1]
  const rows = rowsOf(layer, camera, surface)
  for (let y = rows.from; y < rows.to; y++) {
    const dy = (camera.horizonY - y - 0.5) / camera.focal
    for (let x = 0; x < layer.width; x++) {
      const dx = (x + 0.5 - camera.centreX) / camera.focal
      const towards = normal[0] * dx + normal[1] * dy + normal[2]
      const z = plane / towards
      if (!(z > nearest) || z > 5000) continue
      const px = dx * z - origin[0]
      const py = dy * z - origin[1]
      const pz = z - origin[2]
      const s = px * across[0] + py * across[1] + pz * across[2]
      const t = px * up[0] + py * up[1] + pz * up[2]
      if (s < 0 || t < 0 || s > width || t > height) continue
      pixel[3] = 1
      shade(s, t, z, pixel)
      putPixel(layer.data, (y * layer.width + x) * 4, pixel)
    }
  }
}

/** The rows that a bounded surface can be seen in; all where it reaches behind the camera. */
function rowsOf(layer: Layer, camera: SceneCamera, surface: Surface): { from: number; to: number } {
  const { origin, across, up, width, height } = surface
  const all = { from: 0, to: layer.height }
  if (!Number.isFinite(width) || !Number.isFinite(height)) return all
  let top = Infinity
  let bottom = -Infinity
  for (const [s, t] of [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ] as const) {
    const z = origin[2] + across[2] * s + up[2] * t
    if (z < nearest) return all
    const y = camera.horizonY - (camera.focal * (origin[1] + across[1] * s + up[1] * t)) / z
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return { from: Math.max(0, Math.floor(top)), to: Math.min(layer.height, Math.ceil(bottom) + 1) }
}

/** The floor without an end; `s` is metres to the right, `t` metres away, both of the place. */
export function paintFloor(layer: Layer, camera: SceneCamera, shade: Shade): void {
  const half = 4000
  const origin: Vector = [-half, -camera.aboveFloor, 0]
  const floor = { origin, across: [1, 0, 0], up: [0, 0, 1], width: 2 * half, height: 4900 } as const
  paintSurface(layer, camera, floor, (s, t, z, pixel) => shade(s - half, t, z, pixel))
}

/**
 * Paints an upright wall along the street: `s` metres away from its begin, `t` metres above the floor.
 * @param x metres right of the camera
 */
export function paintSideWall(
  layer: Layer,
  camera: SceneCamera,
  wall: { x: number; from: number; to: number; height: number },
  shade: Shade,
): void {
  const surface: Surface = {
    origin: [wall.x, -camera.aboveFloor, wall.from],
    across: [0, 0, 1],
    up: [0, 1, 0],
    width: wall.to - wall.from,
    height: wall.height,
  }
  paintSurface(layer, camera, surface, shade)
}

/** Paints an upright wall that faces the camera: `s` metres from its left, `t` above its foot. */
export function paintFrontWall(
  layer: Layer,
  camera: SceneCamera,
  wall: { x: number; z: number; width: number; height: number; foot?: number },
  shade: Shade,
): void {
  const surface: Surface = {
    origin: [wall.x, (wall.foot ?? 0) - camera.aboveFloor, wall.z],
    across: [1, 0, 0],
    up: [0, 1, 0],
    width: wall.width,
    height: wall.height,
  }
  paintSurface(layer, camera, surface, shade)
}

/**
 * Paints everything that is infinitely far away: `x` in heights right of the vanishing point, `y` in
 * heights above the horizon.
 */
export function paintSky(
  layer: Layer,
  camera: SceneCamera,
  shade: (x: number, y: number, pixel: Pixel) => void,
): void {
  const pixel: Pixel = [0, 0, 0, 1]
  for (let y = 0, i = 0; y < layer.height; y++) {
    const above = (camera.horizonY - y - 0.5) / camera.unit
    for (let x = 0; x < layer.width; x++, i += 4) {
      pixel[3] = 1
      shade((x + 0.5 - camera.centreX) / camera.unit, above, pixel)
      putPixel(layer.data, i, pixel)
    }
  }
}

/** An ellipse that faces the camera. */
export interface Blob {
  centre: Vector
  /** Half of its width and height in metres. */
  halfWidth: number
  halfHeight: number
}

/** Paints an ellipse; the shade gets −1…1 across and upwards. */
export function paintBlob(
  layer: Layer,
  camera: SceneCamera,
  { centre, halfWidth, halfHeight }: Blob,
  shade: (x: number, y: number, pixel: Pixel) => void,
): void {
  const [x, y, z] = turnToCamera(camera, centre)
  if (z < nearest) return
  const scale = camera.focal / z
  const cx = camera.centreX + x * scale
  const cy = camera.horizonY - y * scale
  const rx = halfWidth * scale
  const ry = halfHeight * scale
  const pixel: Pixel = [0, 0, 0, 1]
  const bottom = Math.min(layer.height, Math.ceil(cy + ry))
  const right = Math.min(layer.width, Math.ceil(cx + rx))
  for (let row = Math.max(0, Math.floor(cy - ry)); row < bottom; row++) {
    const v = (cy - row - 0.5) / ry
    for (let column = Math.max(0, Math.floor(cx - rx)); column < right; column++) {
      const u = (column + 0.5 - cx) / rx
      if (u * u + v * v > 1) continue
      pixel[3] = 1
      shade(u, v, pixel)
      putPixel(layer.data, (row * layer.width + column) * 4, pixel)
    }
  }
}

function putPixel(data: Float32Array, at: number, [red, green, blue, coverage]: Pixel): void {
  const rest = 1 - coverage
  data[at] = data[at]! * rest + red * coverage
  data[at + 1] = data[at + 1]! * rest + green * coverage
  data[at + 2] = data[at + 2]! * rest + blue * coverage
  data[at + 3] = data[at + 3]! * rest + coverage
}

/** Writes a colour at a brightness. */
export function setPixel(pixel: Pixel, [red, green, blue]: Radiance, light: number): void {
  pixel[0] = red * light
  pixel[1] = green * light
  pixel[2] = blue * light
}

/** Adds a colour at a brightness. */
export function addToPixel(pixel: Pixel, [red, green, blue]: Radiance, light: number): void {
  pixel[0] += red * light
  pixel[1] += green * light
  pixel[2] += blue * light
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
