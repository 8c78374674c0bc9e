/**
 * `npm run scenes`: renders the views of the scenes that were photographed into `engine/scenes`, from
 * panoramas with the full range of light. The other scenes there were painted once, and stay as they are.
 */
import { writeFile } from 'node:fs/promises'
import parseExr from 'parse-exr'
import sharp from 'sharp'
import { sceneFile, sceneFileOf } from '@starside/engine/compositor/background/draw-scene.ts'
import type { ShippedScene } from '@starside/engine/compositor/background/scene-definitions.ts'

/** Light in three channels, row by row. */
interface Light {
  data: Float32Array
  width: number
  height: number
}

type PanoramaView = readonly [panorama: string, yawDegrees: number]

/** Brightness of each place in stops, and its views: a panorama of the package and where it is seen. */
const places: Partial<Record<ShippedScene, { stops: number; views: readonly PanoramaView[] }>> = {
  'sunny-street': { stops: 0, views: six('sunset', 0, 40, 75, 95, 120, 145) },
  'city-day': { stops: 0.1, views: six('city', 165, 190, 210, 225, 255, 295) },
  'beach-dusk': {
    stops: -0.45,
    views: [...six('sunset', 205, 245, 290), ...six('venice', 200, 235, 290)],
  },
  forest: { stops: 0, views: six('forest', 20, 130, 165, 200, 255, 310) },
  meadow: { stops: 0, views: [...six('sunrise', 110, 140, 165), ...six('park', 20, 140, 290)] },
  cafe: { stops: -0.2, views: six('esplanade', 30, 200, 220, 240, 260, 320) },
  home: { stops: 0.4, views: six('apartment', 15, 155, 180, 275, 300, 325) },
}

function six(panorama: string, ...yaws: readonly number[]): PanoramaView[] {
  return yaws.map((yaw) => [panorama, yaw])
}

/** Focal length, and radius of a far lamp out of focus; in heights of a picture. */
const focal = 1.1
const farRadius = 0.028
/** Pixels about a view, so that what is outside of it is blurred into it. */
const margin = Math.ceil(farRadius * sceneFile.pictureHeight) + 1
/** The sun itself would cover all with its disc. */
const lightMax = 40
/** What a view's middle has in the mean; middle grey. */
const middleGrey = 0.2

for (const [scene, { stops, views }] of Object.entries(places)) {
  for (const [index, [panorama, yaw]] of views.entries()) {
    const radiance = defocus(project(await readPanorama(panorama), yaw))
    const pixels = develop(radiance, (middleGrey * 2 ** stops) / brightness(radiance))
    const picture = sharp(pixels, { raw: { ...sceneFile, channels: 3 } })
    const lit = isLitFromLeft(radiance) ? picture.flop() : picture
    const avif = await lit.avif({ quality: 62, effort: 6, chromaSubsampling: '4:4:4' }).toBuffer()
    await writeFile(sceneFileOf(scene as ShippedScene, index + 1), avif)
    console.log(`${scene} ${index + 1} (${Math.ceil(avif.length / 1000)} kB)`)
  }
}

async function readPanorama(name: string): Promise<Light> {
  const { default: url } = (await import(`@pmndrs/assets/hdri/${name}.exr.js`)) as {
    default: string
  }
  const bytes = Uint8Array.from(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))
  const floatType = 1015
  const { data, width, height } = parseExr(bytes.buffer, floatType)
  const channels = data.length / (width * height)
  const light: Light = { data: new Float32Array(width * height * 3), width, height }
  for (let y = 0, to = 0; y < height; y++) {
    // Its rows come from below.
    for (let x = 0, from = (height - 1 - y) * width * channels; x < width; x++, from += channels) {
      for (let c = 0; c < 3; c++) light.data[to++] = withinRange(data[from + c]!)
    }
  }
  return light
}

/** Where the sun is too bright for the file's numbers, they are none. */
function withinRange(value: number): number {
  return Number.isFinite(value) ? Math.min(lightMax, Math.max(0, value)) : lightMax
}

/** What a level camera in the middle of a panorama sees, with the margin about it. */
function project(panorama: Light, yawDegrees: number): Light {
  const width = sceneFile.width + 2 * margin
  const height = sceneFile.height + 2 * margin
  const view: Light = { data: new Float32Array(width * height * 3), width, height }
  const scale = 1 / (focal * sceneFile.pictureHeight)
  for (let y = 0, to = 0; y < height; y++) {
    const up = (sceneFile.horizon + margin - y - 0.5) * scale
    for (let x = 0; x < width; x++, to += 3) {
      const right = (x + 0.5 - width / 2) * scale
      const turn = Math.atan2(right, 1) / (2 * Math.PI) + yawDegrees / 360
      const column = (((turn % 1) + 1) % 1) * panorama.width - 0.5
      const elevation = Math.atan2(up, Math.hypot(right, 1))
      const row = (0.5 - elevation / Math.PI) * panorama.height - 0.5
      sampleSmoothly(panorama, column, row, view.data, to)
    }
  }
  return view
}

/** A cubic over four by four pixels, of the light's root, so that lamps get no dark rings. */
function sampleSmoothly(
  { data, width, height }: Light,
  x: number,
  y: number,
  target: Float32Array,
  to: number,
): void {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const across = cubicWeights(x - left)
  const down = cubicWeights(y - top)
  for (let c = 0; c < 3; c++) {
    let sum = 0
    for (let j = 0; j < 4; j++) {
      const row = Math.min(height - 1, Math.max(0, top - 1 + j)) * width
      for (let i = 0; i < 4; i++) {
        const at = (row + ((left - 1 + i + width) % width)) * 3 + c
        sum += down[j]! * across[i]! * Math.sqrt(data[at]!)
      }
    }
    target[to + c] = Math.max(0, sum) ** 2
  }
}

/** Source: Mitchell and Netravali, "Reconstruction Filters in Computer Graphics", 1988. */
function cubicWeights(t: number): readonly number[] {
  const near = (x: number) => (7 * x ** 3 - 12 * x ** 2 + 16 / 3) / 6
  const far = (x: number) => ((-7 / 3) * x ** 3 + 12 * x ** 2 - 20 * x + 32 / 3) / 6
  return [far(1 + t), near(t), near(1 - t), far(2 - t)]
}

/** Every point becomes an even disc, as a round aperture makes it; the margin goes. */
function defocus({ data, width }: Light): Light {
  const view: Light = {
    data: new Float32Array(sceneFile.width * sceneFile.height * 3),
    width: sceneFile.width,
    height: sceneFile.height,
  }
  const radius = farRadius * sceneFile.pictureHeight
  const reach = Math.floor(radius)
  let area = 0
  for (let dy = -reach; dy <= reach; dy++) {
    const half = Math.floor(Math.sqrt(radius * radius - dy * dy))
    area += 2 * half + 1
    for (let y = 0, to = 0; y < view.height; y++) {
      const row = (y + margin + dy) * width + margin
      for (let c = 0; c < 3; c++) {
        let sum = 0
        for (let dx = -half; dx < half; dx++) sum += data[(row + dx) * 3 + c]!
        for (let x = 0; x < view.width; x++) {
          sum += data[(row + x + half) * 3 + c]!
          view.data[to + x * 3 + c]! += sum
          sum -= data[(row + x - half) * 3 + c]!
        }
      }
      to += view.width * 3
    }
  }
  for (let i = 0; i < view.data.length; i++) view.data[i]! /= area
  return view
}

/** The mean of a view's middle, as eyes feel it. */
function brightness({ data, width }: Light): number {
  const { horizon, pictureHeight } = sceneFile
  let [sum, count] = [0, 0]
  for (let y = horizon - pictureHeight / 2; y < horizon + pictureHeight / 2; y++) {
    for (let x = (width - pictureHeight) / 2; x < (width + pictureHeight) / 2; x++, count++) {
      const i = (y * width + x) * 3
      sum += Math.log2(0.2126 * data[i]! + 0.7152 * data[i + 1]! + 0.0722 * data[i + 2]! + 1e-4)
    }
  }
  return 2 ** (sum / count)
}

function isLitFromLeft({ data, width }: Light): boolean {
  let difference = 0
  for (let i = 1; i < data.length; i += 3) {
    const isLeft = Math.floor(i / 3) % width < width / 2
    difference += Math.min(4, data[i]!) * (isLeft ? 1 : -1)
  }
  return difference > 0
}

/**
 * A camera's tone curve, as sRGB 0…255.
 * Source: Narkowicz, "ACES Filmic Tone Mapping Curve", 2016 (public domain).
 */
function develop({ data }: Light, exposure: number): Uint8Array {
  return Uint8Array.from(data, (value) => {
    const x = value * exposure * 0.75
    const y = Math.min(1, (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14))
    return Math.round(255 * (y <= 0.0031308 ? 12.92 * y : 1.055 * y ** (1 / 2.4) - 0.055))
  })
}
