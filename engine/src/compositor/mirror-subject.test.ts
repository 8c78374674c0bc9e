import { expect, it } from 'vitest'
import { measureLight } from './harmonise/measure-light.ts'
import { mirrorSubject } from './mirror-subject.ts'
import { buildPyramid } from '../image/pyramid.ts'
import type { ReadSubject } from './read-subject.ts'
import { placeFace } from '../testing/test-face.ts'
import { measureSurface } from './relight/face-surface.ts'
import { fitLight, gateSkin, lightsOf } from './relight/fit-light.ts'
import { sampleFace } from './relight/sample-face.ts'
import { traceSilhouette } from './matting/silhouette.ts'
import { paintPlane, paintRgb } from '../testing/test-images.ts'

const width = 400

/** Somebody left of the middle, brighter on the right, in a photo of 400 × 500 pixels. */
function somebody(): ReadSubject {
  const photo = buildPyramid(paintRgb(width, 500, (x) => [60 + (x >> 2), 50 + (x >> 2), 40]))
  const { mesh, head } = placeFace({ x: 150, y: 200 }, 160)
  const detection = {
    box: { x: 80, y: 120, width: 140, height: 160 },
    keypoints: [
      { x: 120, y: 170 },
      { x: 180, y: 170 },
    ],
    score: 1,
  }
  const face = { mesh, head, detection }
  const person = paintPlane(100, 125, (x, y) => (Math.hypot(x - 37, y - 50) < 30 ? 1 : 0))
  const faceSamples = sampleFace(photo, mesh, head)
  const surface = measureSurface(mesh)
  const light = measureLight(photo, mesh, head)
  return {
    quarterTurns: 0,
    background: undefined,
    photo,
    matte: undefined,
    faces: [face],
    members: [{ face, light, sharpness: 3 }],
    face,
    heads: [head],
    head,
    neighbours: { others: [], ownership: undefined },
    crops: [
      { region: { x: 0, y: 10, width: 300, height: 300 }, matte: paintPlane(8, 8, (x) => x) },
    ],
    people: { ...person, data: person.data.slice() },
    person,
    silhouette: traceSilhouette(person, [head], photo.levels[0]!),
    light,
    faceSamples,
    faceLight: fitLight(lightsOf(faceSamples), surface, gateSkin(faceSamples, surface)),
    sharpness: 3,
    refusals: [],
    hints: [],
  }
}

it('a mirrored person stands on the other side, looks the other way and is lit from there', () => {
  const { face, light, faceLight, silhouette } = somebody()
  const mirrored = mirrorSubject(somebody())
  expect(mirrored.face.head.centre.x).toBeCloseTo(width - face.head.centre.x, 3)
  expect(mirrored.face.head.yaw).toBeCloseTo(-face.head.yaw, 3)
  expect(mirrored.face.head.roll).toBeCloseTo(-face.head.roll, 3)
  expect(mirrored.face.detection.keypoints).toEqual([
    { x: 220, y: 170 },
    { x: 280, y: 170 },
  ])
  expect(mirrored.light.sideRatio).toBeCloseTo(-light.sideRatio)
  expect(mirrored.crops[0]!.region.x).toBe(100)
  expect(mirrored.silhouette.hairLeft).toBeCloseTo(silhouette.hairRight, 0)
  const surface = measureSurface(mirrored.face.mesh)
  const gate = gateSkin(mirrored.faceSamples, surface)
  const refitted = fitLight(lightsOf(mirrored.faceSamples), surface, gate)
  expect(mirrored.faceLight.coefficients[1]).toBeCloseTo(-faceLight.coefficients[1]!)
  expect(refitted.coefficients[1]).toBeCloseTo(-faceLight.coefficients[1]!, 1)
})

it('a person who is mirrored twice is as before', () => {
  const twice = mirrorSubject(mirrorSubject(somebody()))
  const once = somebody()
  expect(twice.photo.levels[0]!.data).toEqual(once.photo.levels[0]!.data)
  expect(twice.person.data).toEqual(once.person.data)
  expect(twice.crops).toEqual(once.crops)
  for (const [i, value] of twice.face.mesh.points.entries()) {
    expect(value).toBeCloseTo(once.face.mesh.points[i]!, 3)
  }
})
