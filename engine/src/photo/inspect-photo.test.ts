import { describe, expect, it } from 'vitest'
import { leftEyeOutline, meshPoint, rightEyeOutline } from '../compositor/faces/face-mesh.ts'
import type { FoundFace } from '../compositor/faces/find-faces.ts'
import { headAt } from '../testing/test-heads.ts'
import type { SkinLight } from '../compositor/harmonise/measure-light.ts'
import { describeFaces, judgePhoto } from './inspect-photo.ts'

interface HeadPose {
  /** Degrees to the side and back. */
  yaw?: number
  pitch?: number
  /** Height of the eyes' openings by their width. */
  eyes?: number
  /** Degrees of the yaw that the mesh shows; all by default. */
  meshYaw?: number
  size?: number
  top?: number
}

/** A head in three dimensions, centimetres about its middle, seen from far away. */
function faceInPose(held: HeadPose = {}): FoundFace {
  const { yaw = 0, pitch = 0, eyes = 0.3, meshYaw = yaw, size = 200, top = 100 } = held
  const points = new Float32Array(468 * 3)
  const set = (index: number, x: number, y: number, z: number): void =>
    points.set(turned([x, y, z], meshYaw, pitch), index * 3)
  set(meshPoint.leftCheek, -7, 0, 0)
  set(meshPoint.rightCheek, 7, 0, 0)
  set(meshPoint.foreheadTop, 0, -9, -6)
  set(meshPoint.chin, 0, 9, -3.5)
  for (const [outline, x] of [
    [leftEyeOutline, -3.1],
    [rightEyeOutline, 3.1],
  ] as const) {
    set(outline[0]!, x - 1.5, -3.5, -6)
    set(outline[8]!, x + 1.5, -3.5, -6)
    set(outline[4]!, x, -3.5 + 1.5 * eyes, -6)
    set(outline[12]!, x, -3.5 - 1.5 * eyes, -6)
  }
  const keypoints = [
    [-3.1, -3.5, -6],
    [3.1, -3.5, -6],
    [0, 0, -10],
    [0, 3.2, -8],
    [-7.5, -2, 0],
    [7.5, -2, 0],
  ].map((point) => {
    const [x, y] = turned(point as [number, number, number], yaw, pitch)
    return { x, y }
  })
  return {
    detection: { box: { x: 0, y: 0, width: 1, height: 1 }, keypoints, score: 1 },
    mesh: { points, presence: 1 },
    head: headAt(400, top + size / 2, size),
  }
}

function turned(
  [x, y, z]: [number, number, number],
  yaw: number,
  pitch: number,
): [number, number, number] {
  const [t, u] = [(yaw * Math.PI) / 180, (pitch * Math.PI) / 180]
  const [back, down] = [z * Math.cos(u) - y * Math.sin(u), y * Math.cos(u) + z * Math.sin(u)]
  return [x * Math.cos(t) - back * Math.sin(t), down, x * Math.sin(t) + back * Math.cos(t)]
}

function judge(
  face: FoundFace,
  height = 900,
  overhead = 1,
  blownBackdrop = 0,
  skin: Partial<SkinLight> = {},
  sharpness = 5,
) {
  return judgePhoto({
    width: 800,
    height,
    faces: [face],
    faceIndex: 0,
    sharpness,
    overhead,
    skin: { median: 0.3, brightest: 0.5, tint: { red: 30, blue: -32 }, ...skin },
    blownBackdrop,
  })
}

describe('a photo', () => {
  it('of somebody who looks straight ahead is fine', () => {
    expect(judge(faceInPose())).toEqual({ refusals: [], hints: [] })
  })

  it('of a full profile is refused, though the mesh sees a face from the front', () => {
    expect(judge(faceInPose({ yaw: 75, meshYaw: 22 })).refusals).toEqual(['face_profile'])
    expect(judge(faceInPose({ yaw: -75, meshYaw: -22 })).refusals).toEqual(['face_profile'])
  })

  it('of a turned head is used with a hint, of one turned by more than 45° refused', () => {
    expect(judge(faceInPose({ yaw: 38 }))).toEqual({ refusals: [], hints: ['turned'] })
    expect(judge(faceInPose({ yaw: 50 })).refusals).toEqual(['face_profile'])
    expect(judge(faceInPose({ yaw: 14 })).hints).toEqual(['turned'])
    expect(judge(faceInPose({ yaw: 10 })).hints).toEqual([])
  })

  it('of a head thrown back or bent down is refused, of a slight tilt not', () => {
    expect(judge(faceInPose({ pitch: 50 })).refusals).toEqual(['face_tilted'])
    expect(judge(faceInPose({ pitch: -55 })).refusals).toEqual(['face_tilted'])
    expect(judge(faceInPose({ pitch: 15 }))).toEqual({ refusals: [], hints: [] })
  })

  it('of closed eyes gets a hint', () => {
    expect(judge(faceInPose({ eyes: 0.08 })).hints).toEqual(['eyes_closed'])
  })

  it.each([
    [75, ['face_too_small'], []],
    [90, [], ['small_face']],
    [140, [], ['small_face']],
    [170, [], []],
  ])('of a face of %i pixels', (size, refusals, hints) => {
    expect(judge(faceInPose({ size }))).toEqual({ refusals, hints })
  })

  it.each([
    [155, 0.55, ['face_too_small']],
    [155, 0.65, []],
    [165, 0.55, []],
    [165, 0.4, ['photo_blurred']],
  ])('of a face of %i pixels that is %f sharp', (size, sharpness, refusals) => {
    const { refusals: told } = judge(faceInPose({ size }), 900, 1, 0, undefined, sharpness)
    expect(told).toEqual(refusals)
  })

  it.each([
    [0.03, ['face_cut'], []],
    [0.05, [], ['tight_crop']],
    [0.26, [], ['tight_crop']],
    [0.7, [], []],
  ])('that ends %f head sizes below the chin', (below, refusals, hints) => {
    expect(judge(faceInPose(), 300 + below * 200)).toEqual({ refusals, hints })
  })

  it.each([
    [10, 0.5, ['face_cut']],
    [10, 0.7, []],
    [35, 0.5, []],
  ])('with %i pixels above a forehead, %f head sizes below the chin', (top, below, refusals) => {
    const height = top + (1 + below) * 200
    expect(judge(faceInPose({ top }), height).refusals).toEqual(refusals)
  })

  it.each([
    ['left', 70, []],
    ['left', 64, ['face_cut']],
    ['right', 730, []],
    ['right', 736, ['face_cut']],
  ])('at whose %s edge a face has its middle, at %i of 800 pixels', (_side, x, refusals) => {
    const face = faceInPose()
    const moved = { ...face, head: { ...face.head, centre: { ...face.head.centre, x } } }
    expect(judge(moved).refusals).toEqual(refusals)
  })

  it('that cuts the hair gets a hint', () => {
    expect(judge(faceInPose({ top: 20 })).hints).toEqual(['hair_cut'])
  })

  it('of a face in hard sun gets a hint', () => {
    expect(judge(faceInPose(), 900, 4.5).hints).toEqual(['hard_sun'])
    expect(judge(faceInPose(), 900, 3).hints).toEqual([])
  })

  it.each([
    ['nearly black', 0.005, 0.015, ['face_too_dark'], []],
    ['too dark', 0.02, 0.1, [], ['dark_face']],
    ['of dark skin in a good light', 0.035, 0.236, [], []],
    ['of pale skin in a bright light', 0.6, 0.85, [], []],
    ['too bright', 0.85, 0.99, [], ['bright_face']],
    ['mostly burnt out', 0.99, 1, ['face_too_bright'], []],
  ])('of a face %s', (_, median, brightest, refusals, hints) => {
    expect(judge(faceInPose(), 900, 1, 0, { median, brightest })).toEqual({ refusals, hints })
  })

  it('in black and white gets a hint, with little colour not', () => {
    const hintsOf = (red: number, blue: number) =>
      judge(faceInPose(), 900, 1, 0, { tint: { red, blue } }).hints
    expect([hintsOf(0, 0), hintsOf(2, -3)]).toEqual([['no_colour'], ['no_colour']])
    expect(hintsOf(8, -6)).toEqual([])
  })

  it('of a head before a white background gets a hint', () => {
    expect(judge(faceInPose(), 900, 1, 0.3).hints).toEqual(['bright_background'])
    expect(judge(faceInPose(), 900, 1, 0.05).hints).toEqual([])
  })
})

it('of a row it says who touches whom, but not themselves', () => {
  const row = [100, 250, 700].map((x) => {
    const box = { x, y: 100, width: 80, height: 100 }
    return { head: headAt(x, 150, 100), detection: { box } } as FoundFace
  })
  const described = describeFaces(row, { width: 1000, height: 500 })
  expect(described.map(({ touches }) => touches)).toEqual([[1], [0], []])
})
