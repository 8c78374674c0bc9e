import type { FaceMesh } from '../faces/face-mesh.ts'
import type { BytePlane, Plane, RgbImage } from '../../image/raster.ts'
import { applySimilarity, similarityScale } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'
import { applyLightField, shareOfField } from './apply-light-field.ts'
import type { SkinColour } from './apply-light-field.ts'
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
 * Half of a face's skin moves by less than this, in steps of lightness of CIELAB; the colour moves a
 * little too, and six steps in all are what nobody sees as another skin.
 */
const medianStepsMax = 5.6
/**
 * How far a field is spread over the skin, in stops (standard deviation): a soft light that is made much
 * harder draws another nose and other eyes, and the face is taken for somebody else's.
 */
const spreadMax = 0.43

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
  const found = findField(ground, lightsOf(person.samples), gate, plan)
  const skin = skinColourOf(person.samples, gate)
  const field = boundField(ground, found, person.samples, gate, skin)
  applyLightField(person.image, person.alpha, field, skin)
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
  return field
}

/**
 * Weakens the whole field where the skin would move too far or be modelled too much; its shape, and so
 * its light, stays.
 */
export function boundField(
  ground: FieldGeometry,
  field: Plane,
  samples: FaceSamples,
  { weights }: SkinGate,
  skin: SkinColour,
): Plane {
  const stops = fieldAtTriangles(ground, field)
  const lights = lightsOf(samples)
  const steps: number[] = []
  for (let t = 0; t < stops.length; t++) {
    if (weights[t] === 0) continue
    const light = lights[t]!
    const share = shareOfField(stops[t]!, light, samples[t * 3]! - samples[t * 3 + 2]!, skin)
    steps.push(Math.abs(lightness(light * 2 ** (stops[t]! * share)) - lightness(light)))
  }
  const median = quantile(steps, 0.5) ?? 0
  const share = Math.min(medianStepsMax / median, spreadMax / spreadOf(stops, ground.meanShares))
  // Of a field that moves nothing both are 0.
  if (!(share < 1)) return field
  return { ...field, data: field.data.map((value) => value * share) }
}

/** Weighted standard deviation; the weights' sum is 1. */
function spreadOf(values: Float64Array, weights: Float64Array): number {
  let mean = 0
  let squares = 0
  for (let t = 0; t < values.length; t++) {
    mean += weights[t]! * values[t]!
    squares += weights[t]! * values[t]! ** 2
  }
  return Math.sqrt(Math.max(0, squares - mean * mean))
}

/** L* of CIELAB of a linear brightness that isn't black. */
function lightness(light: number): number {
  return 116 * Math.cbrt(light) - 16
}

/** What is brightened stays below the brightest tenth of the skin times this, and below white. */
const brighterMax = 1.4
const whiteMax = 0.95

/** What the plain skin of a face is like. */
export function skinColourOf(samples: FaceSamples, { weights }: SkinGate): SkinColour {
  const lights = lightsOf(samples)
  const chromas: number[] = []
  const skin: number[] = []
  for (let t = 0; t < lights.length; t++) {
    if (weights[t] === 0) continue
    chromas.push((samples[t * 3]! - samples[t * 3 + 2]!) / Math.max(lights[t]!, 0.004))
    skin.push(lights[t]!)
  }
  const bright = quantile(skin, 0.9) ?? whiteMax
  return { chroma: quantile(chromas, 0.5) ?? 0, lightMax: Math.min(whiteMax, bright * brighterMax) }
}

function quantile(values: readonly number[], share: number): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(share * values.length)]
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
