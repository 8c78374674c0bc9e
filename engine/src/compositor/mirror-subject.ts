import type { FoundFace } from './faces/find-faces.ts'
import { mayCarryWriting } from './find-writing.ts'
import { measureHead } from './faces/measure-head.ts'
import type { HeadMeasure } from './faces/measure-head.ts'
import type { BytePlane, Plane, Point } from '../image/raster.ts'
import type { ReadSubject } from './read-subject.ts'
import { mirrorMesh } from './relight/mirror-mesh.ts'
import { sampleFace } from './relight/sample-face.ts'
import { mirrorLight } from './relight/spherical-harmonics.ts'
import { traceSilhouette } from './matting/silhouette.ts'

/**
 * The same person mirrored, as below. Undefined where the photo shows a group or, unless that is allowed, may carry writing.
 */
export function mirrorPhoto(subject: ReadSubject, withWriting: boolean): ReadSubject | undefined {
  const { photo, person, face, faces } = subject
  if (faces.length > 1) return undefined
  if (!withWriting && mayCarryWriting(photo, person, face.head)) return undefined
  return mirrorSubject(subject)
}

/**
 * The same person as if their photo had been mirrored. The old subject must not be used any more,
 * and must be alone in the photo: who owns which part of a group isn't mirrored.
 */
export function mirrorSubject(subject: ReadSubject): ReadSubject {
  const image = subject.photo.levels[0]!
  const { width } = image
  for (const level of subject.photo.levels) mirrorRows(level, 3)
  if (subject.matte) mirrorRows(subject.matte, 1)
  for (const { matte } of subject.crops) mirrorRows(matte, 1)
  mirrorRows(subject.people, 1)
  if (subject.person !== subject.people) mirrorRows(subject.person, 1)
  const faces = subject.faces.map((face) => mirrorFace(face, width))
  const face = faces[subject.faces.indexOf(subject.face)]!
  const { people, person } = subject
  const light = { ...subject.light, sideRatio: -subject.light.sideRatio }
  return {
    ...subject,
    faces,
    members: [{ face, light, sharpness: subject.sharpness }],
    face,
    heads: [face.head],
    head: face.head,
    crops: subject.crops.map(({ region, ...rest }) => ({
      ...rest,
      region: { ...region, x: width - region.x - region.width },
    })),
    silhouette: traceSilhouette(person, [face.head], image, subject.matte ? person : people),
    light,
    faceSamples: sampleFace(subject.photo, face.mesh, face.head),
    faceLight: {
      ...subject.faceLight,
      coefficients: mirrorLight(subject.faceLight.coefficients),
    },
  }
}

function mirrorFace({ detection, mesh }: FoundFace, width: number): FoundFace {
  const mirrored = mirrorMesh(mesh, width)
  const head: HeadMeasure = measureHead(mirrored)
  const flip = ({ x, y }: Point): Point => ({ x: width - x, y })
  const [leftEye, rightEye, nose, mouth, leftEar, rightEar, ...more] = detection.keypoints
  const keypoints = [rightEye, leftEye, nose, mouth, rightEar, leftEar, ...more]
  return {
    mesh: mirrored,
    head,
    detection: {
      ...detection,
      box: { ...detection.box, x: width - detection.box.x - detection.box.width },
      keypoints: keypoints.flatMap((point) => (point ? [flip(point)] : [])),
    },
  }
}

/** Reverses every row in place. */
function mirrorRows({ data, width, height }: BytePlane | Plane, channels: 1 | 3): void {
  for (let y = 0; y < height; y++) {
    let left = y * width * channels
    let right = left + (width - 1) * channels
    for (; left < right; left += channels, right -= channels) {
      for (let c = 0; c < channels; c++) {
        const value = data[left + c]!
        data[left + c] = data[right + c]!
        data[right + c] = value
      }
    }
  }
}
