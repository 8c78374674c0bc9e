import type { FaceMesh } from '../faces/face-mesh.ts'
import type { BytePlane, Plane, RgbImage } from '../../image/raster.ts'
import { applySimilarity, similarityScale } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'
import { applyLightField } from './apply-light-field.ts'
import { measureSurface } from './face-surface.ts'
import { fitLight, gateSkin, lightsOf } from './fit-light.ts'
import type { SkinGate } from './fit-light.ts'
import { drawField, fieldAtTriangles, prepareGeometry } from './light-field.ts'
import type { FieldGeometry } from './light-field.ts'
import type { RelightPlan } from './plan-relight.ts'
import type { FaceSamples } from './sample-face.ts'

/** Rounds of the loop that measures what a field has really brought. */
const rounds = 4
/** Rounds of each fit on the way. */
const roundsOnTheWay = 3
/** How much of what is missing each round adds. */
const step = 0.8
/**
 * How far a face's skin moves on average, in stops: about six steps of CIELAB. Beyond it shadows
 * that stay where they are turn into patches.
 */
const meanStopsMax = 0.4

/** A person, cut out, in the picture's pixels. */
interface LitCutOut {
  image: RgbImage
  alpha: BytePlane
  mesh: FaceMesh
  head: { size: number; chinY: number }
  /** Of the photo; colours don't change by being brought to the picture's size. */
  samples: FaceSamples
}

/** Moves the light on a person towards another, in place. */
export function relightPerson(person: LitCutOut, plan: RelightPlan): void {
  const surface = measureSurface(person.mesh)
  const gate = gateSkin(person.samples, surface)
  const ground = prepareGeometry(person.alpha, person.mesh, surface, person.head, gate.weights)
  const field = findField(ground, lightsOf(person.samples), gate, plan)
  applyLightField(person.image, person.alpha, field, skinChromaOf(person.samples, gate))
}

/**
 * The field whose light is the wanted one. The ratio of both lights would be enough on matt skin
 * alone (Shashua and Riklin-Raviv, "The Quotient Image", PAMI 2001; Wen, Liu and Huang, "Face
 * Relighting with Radiance Environment Maps", CVPR 2003); but the limit and the blur swallow a
 * third of it, so each round fits the light that the field has left and mends the difference.
 * @param lights brightness of the face's triangles
 */
export function findField(
  ground: FieldGeometry,
  lights: Float64Array,
  gate: SkinGate,
  { towards, strength, stopsMax }: RelightPlan,
): Plane {
  const { surface } = ground
  const own = fitLight(lights, surface, gate).coefficients
  const wanted = own.map((value, i) => value + strength * (towards[i]! - value))
  let change = wanted.map((value, i) => value - own[i]!)
  let field = drawField(ground, change, stopsMax)
  for (let round = 0; round < rounds; round++) {
    const stops = fieldAtTriangles(ground, field)
    const relit = lights.map((light, t) => light * 2 ** stops[t]!)
    const { coefficients } = fitLight(relit, surface, gate, roundsOnTheWay)
    change = change.map((value, i) => value - step * (coefficients[i]! - wanted[i]!))
    field = drawField(ground, change, stopsMax)
  }
  return boundField(ground, field)
}

/**
 * Weakens the whole field where the skin would move too far; its shape, and so its light, stays.
 */
function boundField(ground: FieldGeometry, field: Plane): Plane {
  const stops = fieldAtTriangles(ground, field)
  let mean = 0
  for (const [t, value] of stops.entries()) mean += Math.abs(value) * ground.meanShares[t]!
  if (mean <= meanStopsMax) return field
  return { ...field, data: field.data.map((value) => (value * meanStopsMax) / mean) }
}

/** Median of (red − blue) / brightness over the plain skin. */
function skinChromaOf(samples: FaceSamples, gate: SkinGate): number {
  const lights = lightsOf(samples)
  const chromas: number[] = []
  for (const [t, weight] of gate.weights.entries()) {
    if (weight > 0)
      chromas.push((samples[t * 3]! - samples[t * 3 + 2]!) / Math.max(lights[t]!, 0.004))
  }
  return chromas.toSorted((a, b) => a - b)[chromas.length >> 1] ?? 0
}

/** A mesh seen in the picture. */
export function mapMesh(mesh: FaceMesh, toPicture: Similarity): FaceMesh {
  const points = new Float32Array(mesh.points.length)
  const scale = similarityScale(toPicture)
  for (let i = 0; i < points.length; i += 3) {
    const point = applySimilarity(toPicture, { x: mesh.points[i]!, y: mesh.points[i + 1]! })
    points.set([point.x, point.y, mesh.points[i + 2]! * scale], i)
  }
  return { ...mesh, points }
}
