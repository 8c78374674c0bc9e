import { parentPort, workerData } from 'node:worker_threads'
import { buildPyramid } from '@starside/engine/image/pyramid.ts'
import { cutOutPerson } from '@starside/engine/compositor/matting/cut-out-person.ts'
import { findFaces } from '@starside/engine/compositor/faces/find-faces.ts'
import { createBytePlane, createRgb } from '@starside/engine/image/raster.ts'
import { readSubject } from '@starside/engine/compositor/read-subject.ts'
import type { Networks } from '@starside/engine/compositor/read-subject.ts'
import { loadNetwork, startRuntime } from '@starside/engine/models/litert-runtime.ts'
import { modelFiles } from '@starside/engine/models/model-files.ts'
import type { ProbeAnswer, ProbeRequest, ProbeResult } from './stage-probe.ts'

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
  const subject = await readSubject(networks, question.photo, [0])
  if (!subject) return {}
  const { head, heads, silhouette } = subject
  if (question.kind === 'subject') return { subject: { head, heads, silhouette } }
  const { width, height } = subject.photo.levels[0]!
  const frame = { image: createRgb(width, height), alpha: createBytePlane(width, height) }
  await cutOutPerson(subject, { a: 1, b: 0, tx: 0, ty: 0 }, frame)
  return { alpha: frame.alpha }
}

parentPort!.on('message', ({ id, question }: { id: number; question: ProbeRequest }) => {
  answer(question).then(
    (result) => parentPort!.postMessage({ id, result } satisfies ProbeAnswer),
    (error: Error) => parentPort!.postMessage({ id, error } satisfies ProbeAnswer),
  )
})
