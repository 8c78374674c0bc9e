import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { FaceMesh } from '@starside/engine/compositor/faces/face-mesh.ts'
import { fitLight, gateSkin, lightsOf } from '@starside/engine/compositor/relight/fit-light.ts'
import { measureSurface, triangleCount } from '@starside/engine/compositor/relight/face-surface.ts'
import { faceTriangles } from '@starside/engine/compositor/relight/face-triangles.ts'
import type { FaceSamples } from '@starside/engine/compositor/relight/sample-face.ts'
import { basisSize, sumBasis } from '@starside/engine/compositor/relight/spherical-harmonics.ts'
import { openStageProbe } from './engine/stage-probe.ts'

interface Face {
  mesh: FaceMesh
  samples: FaceSamples
}

const target = fileURLToPath(
  import.meta.resolve('@starside/engine/compositor/relight/region-weights.ts'),
)

/**
 * `npm run bench -- learn-light-regions <folder>`: learns from portraits which triangles of a face
 * follow the light (cheeks, forehead, nose) and which don't (eyes, brows, lips, nostrils,
 * hairline), and writes `region-weights.ts`. A triangle counts the less, the more its brightness
 * strays from the fitted light between people; what is always far too dark counts a seventh. Run it
 * twice: the second time the fits already use what the first one learnt.
 */
export async function run([folder]: string[]): Promise<void> {
  if (!folder) throw new Error('npm run bench -- learn-light-regions <folder>')
  const faces = await readFaces(resolve(folder))
  const mirrored = findMirroredPoints(faces.map(({ mesh }) => mesh))
  const residuals = Array.from({ length: triangleCount }, (): number[] => [])
  for (const { mesh, samples } of faces) {
    const surface = measureSurface(mesh)
    const lights = lightsOf(samples)
    const { coefficients } = fitLight(lights, surface, gateSkin(samples, surface))
    for (let t = 0; t < triangleCount; t++) {
      if (surface.areas[t] === 0) continue
      const fitted = sumBasis(coefficients, surface.triangleBasis, t * basisSize)
      const residual = Math.log(lights[t]! + 0.002) - fitted
      residuals[t]!.push(residual)
      residuals[mirrored[t]!]!.push(residual)
    }
  }
  const weights = residuals.map((values) => {
    const middle = median(values)
    const spread = 1.4826 * median(values.map((value) => Math.abs(value - middle)))
    const weight = (1 / (1 + (spread / 0.12) ** 2)) * (middle < -0.35 ? 0.15 : 1)
    return Math.round(weight * 100) / 100
  })
  await writeFile(
    target,
    `/**
 * How well each of the mesh's ${triangleCount} triangles follows the light, 0…1. Learnt from
 * ${faces.length} portraits by \`npm run bench -- learn-light-regions <folder>\`.
 */
export const regionWeights: readonly number[] = [
  ${weights.join(', ')},
]
`,
  )
  console.log(`${faces.length} faces; mean weight ${mean(weights).toFixed(3)}`)
}

async function readFaces(folder: string): Promise<Face[]> {
  const probe = await openStageProbe()
  const faces: Face[] = []
  for (const file of (await readdir(folder)).toSorted()) {
    if (!/\.(?:jpe?g|png|webp)$/i.test(file)) continue
    const { data, info } = await sharp(await readFile(join(folder, file)))
      .autoOrient()
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const image = { data, width: info.width, height: info.height }
    const found = (await probe.ask({ kind: 'faces', image })).faces?.[0]
    if (found) faces.push(found)
  }
  await probe.close()
  return faces
}

/** For each triangle the one at the same place of the face's other half. */
function findMirroredPoints(meshes: readonly FaceMesh[]): number[] {
  const shape = meanShape(meshes)
  const points = shape.length / 3
  const mirroredPoints = Array.from({ length: points }, (_, p) => {
    const away = (q: number): number =>
      Math.hypot(
        shape[q * 3]! + shape[p * 3]!,
        shape[q * 3 + 1]! - shape[p * 3 + 1]!,
        shape[q * 3 + 2]! - shape[p * 3 + 2]!,
      )
    let best = 0
    for (let q = 1; q < points; q++) if (away(q) < away(best)) best = q
    return best
  })
  const keyOf = (corners: number[]): string => corners.toSorted((a, b) => a - b).join()
  const cornersOf = (t: number): number[] => faceTriangles.slice(t * 3, t * 3 + 3)
  const byKey = new Map(Array.from({ length: triangleCount }, (_, t) => [keyOf(cornersOf(t)), t]))
  let missing = 0
  const mirrored = Array.from({ length: triangleCount }, (_, t) => {
    const other = byKey.get(keyOf(cornersOf(t).map((p) => mirroredPoints[p]!)))
    if (other === undefined) missing++
    return other ?? t
  })
  if (missing > triangleCount / 20) throw new Error(`${missing} triangles have no mirrored one`)
  return mirrored
}

/** The mean mesh, its eyes level and its middle at x = 0, of size 1. */
function meanShape(meshes: readonly FaceMesh[]): Float64Array {
  const shape = new Float64Array(meshes[0]!.points.length)
  for (const { points } of meshes) {
    const at = (p: number): [number, number] => [points[p * 3]!, points[p * 3 + 1]!]
    const [lx, ly] = at(33)
    const [rx, ry] = at(263)
    const size = Math.hypot(rx - lx, ry - ly)
    const cos = (rx - lx) / size
    const sin = (ry - ly) / size
    for (let i = 0; i < points.length; i += 3) {
      const x = points[i]! - (lx + rx) / 2
      const y = points[i + 1]! - (ly + ry) / 2
      shape[i]! += (cos * x + sin * y) / size / meshes.length
      shape[i + 1]! += (cos * y - sin * x) / size / meshes.length
      shape[i + 2]! += points[i + 2]! / size / meshes.length
    }
  }
  return shape
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
