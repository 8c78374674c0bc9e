import { parentPort, workerData } from 'node:worker_threads'
import sharp from 'sharp'
import { buildPyramid } from '@starside/engine/image/pyramid.ts'
import { cutOutPerson } from '@starside/engine/compositor/matting/cut-out-person.ts'
import { findFaces } from '@starside/engine/compositor/faces/find-faces.ts'
import { ownBackground, ownWindow } from '@starside/engine/compositor/background/own-background.ts'
import { createBytePlane, createPlane, createRgb } from '@starside/engine/image/raster.ts'
import { mirrorPhoto } from '@starside/engine/compositor/mirror-subject.ts'
import { readSubject } from '@starside/engine/compositor/read-subject.ts'
import type { Networks, ReadSubject } from '@starside/engine/compositor/read-subject.ts'
import { relightSubject } from '@starside/engine/compositor/relight/relight-subject.ts'
import { sampleFace } from '@starside/engine/compositor/relight/sample-face.ts'
import { samplePlane } from '@starside/engine/image/sample-plane.ts'
import type { Frame } from '@starside/engine/compositor/shared-frames.ts'
import { similarity } from '@starside/engine/image/warp.ts'
import type { Similarity } from '@starside/engine/image/warp.ts'
import { loadNetwork, startRuntime } from '@starside/engine/models/litert-runtime.ts'
import { modelFiles } from '@starside/engine/models/model-files.ts'
import type {
  BackgroundReading,
  ProbeAnswer,
  ProbeRequest,
  ProbeResult,
  PersonReading,
} from './stage-probe.ts'

/** The stages of the compositor one by one, for measuring what a picture doesn't tell. */

const { runtime } = workerData as { runtime: WebAssembly.Module }
await startRuntime(runtime)
const networks: Networks = {
  faceDetector: await loadNetwork(modelFiles.faceDetector),
  faceMesh: await loadNetwork(modelFiles.faceMesh),
  personSegmenter: await loadNetwork(modelFiles.personSegmenter),
}

async function answer(question: ProbeRequest): Promise<ProbeResult> {
  if (question.kind === 'heads') {
    const faces = await findFaces(networks, buildPyramid(question.image))
    return { heads: faces.map((face) => face.head) }
  }
  if (question.kind === 'faces') {
    const photo = buildPyramid(question.image)
    const faces = await findFaces(networks, photo)
    return {
      faces: faces.map((face) => ({ ...face, samples: sampleFace(photo, face.mesh, face.head) })),
    }
  }
  const faceIndex = question.kind === 'matte' ? (question.faceIndex ?? 0) : 0
  const subject = await readSubject(networks, question.photo, [faceIndex])
  if (!subject) return {}
  if (question.kind === 'subject') {
    return { subject: { head: subject.head, heads: subject.heads, silhouette: subject.silhouette } }
  }
  const { width, height } = subject.photo.levels[0]!
  if (question.kind === 'person') {
    const seen = question.mirrored ? mirrorPhoto(subject, false) : subject
    return seen ? { person: await readingOf(seen) } : {}
  }
  if (question.kind === 'background') {
    return { background: backgroundOf(subject, question.toPicture, question.picture) }
  }
  if (question.kind === 'cutOut') return { cutOut: await cutOutAt(subject, question.headSize) }
  const frame = { image: createRgb(width, height), alpha: createBytePlane(width, height) }
  const asItIs = { a: 1, b: 0, tx: 0, ty: 0 }
  if (question.kind === 'relit') {
    const image = { ...frame.image, data: Uint8Array.from(subject.photo.levels[0]!.data) }
    await cutOutPerson(subject, asItIs, frame)
    relightSubject(subject, asItIs, { ...frame, image }, question.plan)
    return { relit: image }
  }
  await cutOutPerson(subject, asItIs, frame)
  return { alpha: frame.alpha }
}

/** The person with a head of this many pixels, as far as a picture of 2.4 by 2.9 heads shows. */
async function cutOutAt(subject: ReadSubject, headSize: number): Promise<Frame> {
  const [width, height] = [Math.round(2.4 * headSize), Math.round(2.9 * headSize)]
  const frame = { image: createRgb(width, height), alpha: createBytePlane(width, height) }
  const { centre, roll, size } = subject.head
  const toFrame = similarity(headSize / size, -roll, centre, { x: width / 2, y: 1.15 * headSize })
  await cutOutPerson(subject, toFrame, frame)
  return frame
}

function backgroundOf(
  subject: ReadSubject,
  toPicture: Similarity,
  picture: { width: number; height: number },
): BackgroundReading {
  const small = { width: Math.ceil(picture.width / 4), height: Math.ceil(picture.height / 4) }
  const window = ownWindow(subject, toPicture, picture)
  const people = createPlane(small.width, small.height)
  const toMatte = subject.people.width / subject.photo.levels[0]!.width
  for (let y = 0, i = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++, i++) {
      const px = window.x + ((x + 0.5) / small.width) * window.width
      const py = window.y + ((y + 0.5) / small.height) * window.height
      people.data[i] = samplePlane(subject.people, px * toMatte, py * toMatte)
    }
  }
  return { planes: ownBackground(subject, toPicture, small, picture), people }
}

async function readingOf(subject: ReadSubject): Promise<PersonReading> {
  const image = subject.photo.levels[0]!
  const { silhouette, face, light, faceLight, sharpness, refusals, hints } = subject
  const { width, height } = silhouette.mask
  const small = await sharp(image.data, {
    raw: { width: image.width, height: image.height, channels: 3 },
  })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer()
  return {
    head: face.head,
    heads: [face.head],
    silhouette,
    width: image.width,
    height: image.height,
    mesh: face.mesh,
    light,
    faceLight,
    sharpness,
    refusals,
    hints,
    small: { data: small, width, height },
  }
}

parentPort!.on('message', ({ id, question }: { id: number; question: ProbeRequest }) => {
  answer(question).then(
    (result) => parentPort!.postMessage({ id, result } satisfies ProbeAnswer),
    (error: Error) => parentPort!.postMessage({ id, error } satisfies ProbeAnswer),
  )
})
