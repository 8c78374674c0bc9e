import { describe, expect, it } from 'vitest'
import { buildPyramid } from '../../image/pyramid.ts'
import { createBytePlane, createPlane } from '../../image/raster.ts'
import { linearOfSrgb, luminance, srgbOfLinear } from '../../image/srgb.ts'
import { paintRgb } from '../../testing/test-images.ts'
import { similarity } from '../../image/warp.ts'
import { applyLightField } from './apply-light-field.ts'
import { measureSurface, triangleCount } from './face-surface.ts'
import type { FaceSurface } from './face-surface.ts'
import { faceTriangles } from './face-triangles.ts'
import { fitLight, gateSkin, lightsOf } from './fit-light.ts'
import { drawField, fieldAtTriangles, fieldShrink, prepareGeometry } from './light-field.ts'
import type { FieldGeometry } from './light-field.ts'
import { readFaceTriangles } from './make-face-triangles.ts'
import { mirrorMesh, mirroredPoints } from './mirror-mesh.ts'
import { isBetterMirrored, lightAngle, lightGap, planRelight, trustOf } from './plan-relight.ts'
import type { PlacedLight } from './plan-relight.ts'
import { regionWeights } from './region-weights.ts'
import { boundField, findField, mapMesh, skinColourOf } from './relight-person.ts'
import { sampleFace } from './sample-face.ts'
import type { FaceSamples } from './sample-face.ts'
import { basisSize, mirrorLight, sumBasis, rotateLight } from './spherical-harmonics.ts'
import type { Coefficients } from './spherical-harmonics.ts'
import { placeFace } from '../../testing/test-face.ts'

const size = { width: 512, height: 640 }
const { mesh, head } = placeFace({ x: 256, y: 280 }, 200)
const surface = measureSurface(mesh)
const fromLeft: Coefficients = [-1.5, -0.7, 0.3, 0.2, 0, 0.1, 0, -0.1, 0.1]
const fromRight: Coefficients = [-1.5, 0.6, 0.5, 0.1, 0.1, 0, 0.1, 0, 0]

/** A skin under a light, by the mesh's normals. */
function litSkin(light: Coefficients, on: FaceSurface = surface): FaceSamples {
  const samples = new Float64Array(triangleCount * 3)
  for (let t = 0; t < triangleCount; t++) {
    const brightness = Math.exp(sumBasis(light, on.triangleBasis, t * basisSize))
    samples.set([1.3 * brightness, 0.93 * brightness, 0.75 * brightness], t * 3)
  }
  return samples
}

function fit(samples: FaceSamples, on: FaceSurface = surface): Coefficients {
  return fitLight(lightsOf(samples), on, gateSkin(samples, on)).coefficients
}

const degrees = (one: Coefficients, other: Coefficients): number =>
  (lightAngle(one, other) * 180) / Math.PI

describe("the face's surface", () => {
  it('has the triangles of the installed package, and a weight for each', async () => {
    expect(faceTriangles).toEqual(await readFaceTriangles())
    expect(regionWeights).toHaveLength(triangleCount)
    expect(regionWeights.every((weight) => weight >= 0 && weight <= 1)).toBe(true)
  })

  it('looks at the camera at the nose and to the sides at the cheeks', () => {
    const normal = (point: number): number[] => [
      ...surface.pointBasis.subarray(point * basisSize + 1, point * basisSize + 4),
    ]
    expect(normal(4)[2]).toBeGreaterThan(0.9)
    expect(normal(93)[0]).toBeLessThan(-0.5)
    expect(normal(323)[0]).toBeGreaterThan(0.5)
  })
})

describe('the fitted light', () => {
  it('comes from where the skin was lit', () => {
    for (const light of [fromLeft, fromRight])
      expect(degrees(fit(litSkin(light)), light)).toBeLessThan(8)
  })

  it('is the mirrored one for mirrored brightness', () => {
    const mirrored = { points: mesh.points.map((v, i) => (i % 3 === 0 ? 512 - v : v)), presence: 1 }
    const other = measureSurface(mirrored)
    const light = fit(litSkin(mirrorLight(fromLeft), other), other)
    const own = mirrorLight(fit(litSkin(fromLeft)))
    for (const [i, value] of light.entries()) expect(value).toBeCloseTo(own[i]!, 3)
  })

  it('turns with the picture', () => {
    const turned = mapMesh(mesh, similarity(1.5, 0.6, head.centre, { x: 300, y: 300 }))
    const other = measureSurface(turned)
    const wanted = rotateLight(fit(litSkin(fromLeft)), 0.6)
    const light = fit(litSkin(rotateLight(fromLeft, 0.6), other), other)
    for (const [i, value] of light.entries()) expect(value).toBeCloseTo(wanted[i]!, 3)
  })

  it('is bent neither by a shadow over the forehead nor by a fringe', () => {
    const own = fit(litSkin(fromLeft))
    const shaded = litSkin(fromLeft)
    const fringed = litSkin(fromLeft)
    for (let t = 0; t < triangleCount; t++) {
      const y = mesh.points[faceTriangles[t * 3]! * 3 + 1]!
      if (y > head.centre.y - 0.36 * head.size) continue
      for (let c = 0; c < 3; c++) shaded[t * 3 + c]! *= 0.1
      fringed.set([0.05, 0.03, 0.01], t * 3)
    }
    expect(degrees(fit(shaded), own)).toBeLessThan(3)
    expect(degrees(fit(fringed), own)).toBeLessThan(3)
  })

  it('is read from the pixels of a photo', () => {
    const photo = paintRgb(size.width, size.height, (x) => {
      const value = Math.round(srgbOfLinear(0.1 + (0.3 * x) / size.width))
      return [value, Math.round(value * 0.8), Math.round(value * 0.7)]
    })
    const samples = sampleFace(buildPyramid(photo), mesh, head)
    expect(fit(samples)[1]).toBeGreaterThan(0.1)
    expect(Math.abs(fit(samples)[2]!)).toBeLessThan(0.05)
  })
})

const alpha = createBytePlane(size.width, size.height)
for (let y = 0, i = 0; y < size.height; y++) {
  for (let x = 0; x < size.width; x++, i++) {
    const inHead = Math.hypot((x - 256) / 90, (y - 270) / 130) < 1
    const inBody = y > 400 && Math.abs(x - 256) < 180
    if (inHead || inBody) alpha.data[i] = 255
  }
}

const skin = litSkin(fromLeft)
const gate = gateSkin(skin, surface)
const ground: FieldGeometry = prepareGeometry(
  alpha,
  mesh,
  surface,
  { size: head.size, chinY: head.chin.y },
  gate.weights,
)

describe('the field', () => {
  it('is 0 everywhere between equal lights', () => {
    const plan = { towards: fit(skin), strength: 0.85, stopsMax: 1.5 }
    const field = findField(ground, lightsOf(skin), gate, plan)
    expect(Math.max(...field.data.map(Math.abs))).toBeLessThan(1e-3)
  })

  it("keeps the skin's mean, its limits, and has no step", () => {
    const change = fromRight.map((value, i) => 1.5 * (value - fromLeft[i]!))
    const field = drawField(ground, change, 1.5)
    const stops = fieldAtTriangles(ground, field)
    const mean = stops.reduce((sum, value, t) => sum + value * ground.meanShares[t]!, 0)
    expect(Math.abs(mean)).toBeLessThan(0.15)
    for (let y = 0; y < field.height; y++) {
      for (let x = 1; x < field.width; x++) {
        const i = y * field.width + x
        if (ground.blurredWeight.data[i]! < 0.05 || ground.blurredWeight.data[i - 1]! < 0.05)
          continue
        expect(Math.abs(field.data[i]!)).toBeLessThanOrEqual(1.5)
        expect(Math.abs(field.data[i]! - field.data[i - 1]!)).toBeLessThan(0.3)
      }
    }
  })

  it('brightens hair and body by 0.35 stops at most', () => {
    const field = drawField(ground, [0, 3, 0, 0, 0, 0, 0, 0, 0], 1.5)
    const bottom = field.data.subarray(Math.floor(560 / fieldShrink) * field.width)
    expect(Math.max(...bottom)).toBeLessThanOrEqual(0.35)
    expect(Math.min(...bottom)).toBeLessThan(-0.35)
  })

  it('brings the light most of the way', () => {
    const other = fromRight.map((value, i) => fromLeft[i]! + 0.4 * (value - fromLeft[i]!))
    const wanted = fit(litSkin(other))
    const before = lightGap(fit(skin), wanted)
    const field = findField(ground, lightsOf(skin), gate, {
      towards: wanted,
      strength: 0.85,
      stopsMax: 1.5,
    })
    const stops = fieldAtTriangles(ground, field)
    const relit = lightsOf(skin).map((light, t) => light * 2 ** stops[t]!)
    expect(lightGap(fitLight(relit, surface, gate).coefficients, wanted)).toBeLessThan(
      0.35 * before,
    )
  })
})

describe('the field between two hard lights', () => {
  it('moves half of the skin by less than six steps of lightness, and nowhere back', () => {
    const towards = fit(litSkin(fromRight))
    const medianOf = (strength: number): number => {
      const found = findField(ground, lightsOf(skin), gate, { towards, strength, stopsMax: 1.5 })
      const field = boundField(ground, found, skin, gate, skinColourOf(skin, gate))
      const stops = fieldAtTriangles(ground, field)
      const lightness = (light: number): number => 116 * Math.cbrt(light)
      const steps = [...lightsOf(skin)].flatMap((light, t) =>
        gate.weights[t]! > 0
          ? [Math.abs(lightness(light * 2 ** stops[t]!) - lightness(light))]
          : [],
      )
      return steps.toSorted((a, b) => a - b)[steps.length >> 1]!
    }
    expect(medianOf(0.85)).toBeGreaterThan(5)
    expect(medianOf(0.85)).toBeLessThan(6)
    expect(medianOf(0.2)).toBeLessThan(4)
  })

  it('models a softly lit face no further than it stays the same person', () => {
    const soft: Coefficients = [-1.5, 0.1, 0.1, 0.1, 0, 0, 0, 0, 0]
    const spreadTowards = (towards: Coefficients): number => {
      const even = litSkin(soft)
      const plain = gateSkin(even, surface)
      const found = findField(ground, lightsOf(even), plain, {
        towards,
        strength: 0.85,
        stopsMax: 1.5,
      })
      const stops = fieldAtTriangles(
        ground,
        boundField(ground, found, even, plain, skinColourOf(even, plain)),
      )
      const mean = stops.reduce((sum, value, t) => sum + ground.meanShares[t]! * value, 0)
      return Math.sqrt(
        stops.reduce((sum, value, t) => sum + ground.meanShares[t]! * (value - mean) ** 2, 0),
      )
    }
    expect(spreadTowards([-1.5, -1.4, 0.9, 0.2, 0, 0, 0, 0, 0])).toBeCloseTo(0.43)
    expect(spreadTowards([-1.5, -0.2, 0.1, 0.1, 0, 0, 0, 0, 0])).toBeLessThan(0.3)
    expect(spreadTowards(soft)).toBeCloseTo(0)
  })
})

describe('light applied to pixels', () => {
  const grey = paintRgb(16, 16, () => [120, 90, 70])
  const person = createBytePlane(16, 16)
  person.data.fill(255, 0, 128)

  const skinColour = { chroma: 0.5, lightMax: 0.95 }

  const brightnessOf = (data: Uint8Array): number =>
    luminance(linearOfSrgb[data[0]!]!, linearOfSrgb[data[1]!]!, linearOfSrgb[data[2]!]!)

  it('of nothing changes no byte', () => {
    const image = { ...grey, data: grey.data.slice() }
    applyLightField(image, person, createPlane(2, 2), skinColour)
    expect(image.data).toEqual(grey.data)
  })

  it('of a stop doubles the linear light of the person and leaves what is not the person', () => {
    const image = { ...grey, data: grey.data.slice() }
    const field = createPlane(2, 2)
    field.data.fill(1)
    applyLightField(image, person, field, skinColour)
    expect(brightnessOf(image.data) / brightnessOf(grey.data)).toBeCloseTo(2, 1)
    expect([...image.data.subarray(image.data.length - 3)]).toEqual([120, 90, 70])
  })

  it('keeps the redness of a shadow that it brightens from growing', () => {
    const shadow = paintRgb(16, 16, () => [130, 70, 55])
    const field = createPlane(2, 2)
    field.data.fill(1)
    const chromaOf = ({ data }: { data: Uint8Array }): number => {
      // Distance of red from green in CIELAB, as far as cube roots of linear light tell it.
      const root = (c: number): number => Math.cbrt(linearOfSrgb[data[c]!]!)
      return root(0) - root(1)
    }
    const before = chromaOf(shadow)
    applyLightField(shadow, person, field, skinColour)
    expect(chromaOf(shadow)).toBeLessThan(1.05 * before)
    expect(chromaOf(shadow)).toBeGreaterThan(0.8 * before)
  })

  it('brightens nothing beyond the face', () => {
    const field = createPlane(2, 2)
    field.data.fill(1)
    const lit = { ...grey, data: grey.data.slice() }
    const light = brightnessOf(grey.data)
    applyLightField(lit, person, field, { chroma: 0.5, lightMax: 1.2 * light })
    expect(brightnessOf(lit.data)).toBeGreaterThan(1.1 * light)
    expect(brightnessOf(lit.data)).toBeLessThan(1.35 * light)
  })

  it('spares gloss when it darkens, and white when it brightens', () => {
    const field = createPlane(2, 2)
    const valueAfter = (rgb: [number, number, number], stops: number): number => {
      const image = paintRgb(16, 16, () => rgb)
      field.data.fill(stops)
      applyLightField(image, person, field, skinColour)
      return image.data[0]!
    }
    expect(valueAfter([200, 195, 192], -1)).toBeGreaterThan(valueAfter([200, 150, 120], -1) + 15)
    expect(valueAfter([252, 250, 250], 1)).toBe(252)
  })
})

describe('the plan', () => {
  const lit = (coefficients: Coefficients, more = {}): Parameters<typeof trustOf>[0] => ({
    faceLight: { coefficients, residual: 0.3, kept: 0.8, clipped: 0, ...more },
    head,
    skin: 0.2,
  })

  const planPair = (user: PlacedLight['person'], star: PlacedLight['person']) => {
    const plan = planRelight({ person: user, rotation: 0 }, [{ person: star, rotation: 0 }])
    return { user: plan.user, star: plan.stars[0] }
  }

  it('moves the star nearly the whole way and the user a little', () => {
    const plan = planPair(lit(fromLeft), lit(fromRight))
    expect(plan.star).toEqual({ towards: fromLeft, strength: 0.85, stopsMax: 1.5 })
    expect(plan.user).toEqual({ towards: fromRight, strength: 0.25, stopsMax: 0.4 })
  })

  it('leaves both as they are where one light is a guess', () => {
    for (const unsure of [{ kept: 0.2 }, { clipped: 0.3 }, { residual: Infinity }]) {
      expect(planPair(lit(fromLeft), lit(fromRight, unsure)).star).toBeUndefined()
    }
    const turned = { ...lit(fromLeft), head: { ...head, yaw: 0.7 } }
    expect(planPair(turned, lit(fromRight)).star).toBeUndefined()
  })

  it('mirrors only where the light comes much nearer and both lights are known', () => {
    const other = mirrorLight(fromLeft)
    expect(isBetterMirrored(lit(fromLeft), lit(other))).toBe(true)
    expect(isBetterMirrored(lit(fromLeft), lit(fromLeft))).toBe(false)
    expect(isBetterMirrored(lit([0, 0, 1, 0, 0, 0, 0, 0, 0]), lit(fromLeft))).toBe(false)
    expect(isBetterMirrored(lit(fromLeft), lit(other, { kept: 0.1 }))).toBe(false)
  })
})

describe('the mirrored mesh', () => {
  const mirrored = mirrorMesh(mesh, 2 * head.centre.x)

  it('has every point where its mirrored point was, and back again', () => {
    expect([mirroredPoints[33], mirroredPoints[61], mirroredPoints[152]]).toEqual([263, 291, 152])
    for (const [point, counterpart] of mirroredPoints.entries())
      expect(mirroredPoints[counterpart]).toBe(point)
    expect([...mirrorMesh(mirrored, 2 * head.centre.x).points]).toEqual([...mesh.points])
  })

  it('is nearly the same for a face that is nearly symmetric', () => {
    for (const [i, value] of mirrored.points.entries()) {
      expect(Math.abs(value - mesh.points[i]!)).toBeLessThan(0.06 * head.size)
    }
  })
})
