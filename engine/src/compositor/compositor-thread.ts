import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import sharp from 'sharp'
import type { Scene } from '../image-provider.ts'
import { loadNetwork, startRuntime } from '../models/litert-runtime.ts'
import { modelFiles } from '../models/model-files.ts'
import { describeFaces, judgePhoto } from '../photo/inspect-photo.ts'
import { releaseMemory } from '../release-memory.ts'
import type { ColourPlanes } from './colour-planes.ts'
import { blendRows } from './blend.ts'
import { drawScene } from './draw-scene.ts'
import { cutOutPerson } from './cut-out-person.ts'
import { mirrorSubject } from './mirror-subject.ts'
import { ownBackground } from './own-background.ts'
import { readPhoto, readSubject } from './read-subject.ts'
import type { Networks, ReadSubject } from './read-subject.ts'
import { mayCarryWriting } from './find-writing.ts'
import { measureLight } from './measure-light.ts'
import { measureTexture } from './measure-noise.ts'
import { mendBorders } from './mend-borders.ts'
import { createRgb } from './raster.ts'
import { measureSharpness } from './measure-sharpness.ts'
import { relightSubject } from './relight/relight-subject.ts'
import type {
  BlendPerson,
  CutResult,
  InspectResult,
  ReadResult,
  ThreadAnswer,
  ThreadEnvelope,
  ThreadRequest,
  ThreadResults,
} from './thread-messages.ts'
import { blurSigmaMax } from './plan-texture.ts'
import { stretchBody } from './stretch-body.ts'
import { applySimilarity, similarityScale } from './warp.ts'
import type { Similarity } from './warp.ts'

/** A worker thread of the compositor: it owns the networks and the photos under work. */

const port = parentPort!
const { runtime } = workerData as { runtime: WebAssembly.Module }

// The pictures here are small; libvips' own threads and cache would only cost memory.
sharp.concurrency(1)
sharp.cache(false)

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as (options?: { type: 'minor' }) => void

const sessions = new Map<number, ReadSubject>()
// Begins at once, so that the first photo finds them loaded; a failure is told with every answer.
const networks = loadNetworks()
// By then all code is loaded, and this thread is mostly ended by force.
networks.then(() => flushCompileCache()).catch(() => {})

async function loadNetworks(): Promise<Networks> {
  await startRuntime(runtime)
  const faceDetector = await loadNetwork(modelFiles.faceDetector)
  const faceMesh = await loadNetwork(modelFiles.faceMesh)
  const personSegmenter = await loadNetwork(modelFiles.personSegmenter)
  return { faceDetector, faceMesh, personSegmenter }
}

async function read(
  request: Extract<ThreadRequest, { kind: 'read' }>,
): Promise<ReadResult | undefined> {
  const subject = await readSubject(await networks, request.photo, request.faceIndex ?? 0)
  if (!subject) return undefined
  sessions.set(request.session, subject)
  return resultOf(subject)
}

function resultOf(subject: ReadSubject): ReadResult {
  const { width, height } = subject.photo.levels[0]!
  return {
    refusals: subject.refusals,
    head: subject.face.head,
    silhouette: subject.silhouette,
    light: subject.light,
    faceLight: subject.faceLight,
    sharpness: subject.sharpness,
    width,
    height,
  }
}

/** Mirrors the photo of a session, unless it may carry writing or shows a group. */
function mirror(request: Extract<ThreadRequest, { kind: 'mirror' }>): ReadResult | undefined {
  const subject = sessions.get(request.session)
  if (!subject) throw new Error('The photo of this session is gone')
  if (subject.faces.length > 1) return undefined
  if (mayCarryWriting(subject.photo, subject.person, subject.face.head)) return undefined
  const mirrored = mirrorSubject(subject)
  sessions.set(request.session, mirrored)
  return resultOf(mirrored)
}

async function inspect(
  request: Extract<ThreadRequest, { kind: 'inspect' }>,
): Promise<InspectResult> {
  const { photo, faces } = await readPhoto(await networks, request.photo)
  const image = photo.levels[0]!
  const faceIndex = request.faceIndex ?? 0
  const face = faces[faceIndex]
  const result = {
    faces: describeFaces(faces, image.width, image.height),
    ...judgePhoto({
      width: image.width,
      height: image.height,
      faces,
      faceIndex,
      sharpness: face ? measureSharpness(image, face.head) : 0,
      faceLight: face ? measureLight(photo, face.mesh, face.head).face : 0,
    }),
  }
  releaseMemory(...photo.levels.map((level) => level.data))
  return result
}

async function cut(request: Extract<ThreadRequest, { kind: 'cut' }>): Promise<CutResult> {
  const subject = sessions.get(request.session)
  if (!subject) throw new Error('The photo of this session is gone')
  const { toPicture, frame, relight } = request
  const { width, height } = frame.image
  if (request.background) {
    const { scene, planes } = request.background
    makeBackground(scene, planes, subject, toPicture, width, height)
  }
  await cutOutPerson(subject, toPicture, frame)
  const light = relight ? relightSubject(subject, toPicture, frame, relight) : subject.light
  sessions.delete(request.session)
  const { head } = subject.face
  const texture = measureTexture(frame.image, {
    centre: applySimilarity(toPicture, head.centre),
    size: head.size * similarityScale(toPicture),
  })
  const { width: photoWidth, height: photoHeight } = subject.silhouette.photo
  mendBorders(frame, { head, width: photoWidth, height: photoHeight }, toPicture, request.mends)
  if (request.stretch) stretchBody(frame, request.stretch)
  releaseSubject(subject)
  return { texture, light }
}

/** The subject, which was cut out, must not be used any more. */
function releaseSubject({ regions, people, person }: ReadSubject): void {
  releaseMemory(...regions.map((region) => region.matte.data), people.data, person.data)
}

function makeBackground(
  scene: Scene,
  target: ColourPlanes,
  subject: ReadSubject,
  toPicture: Similarity,
  width: number,
  height: number,
): void {
  const { width: smallWidth, height: smallHeight } = target[0]
  const planes =
    scene === 'own'
      ? ownBackground(subject, toPicture, target[0], { width, height })
      : drawScene(scene, smallWidth, smallHeight)
  for (const [channel, { data }] of planes.entries()) {
    target[channel]!.data.set(data)
    releaseMemory(data)
  }
}

async function blendPart(request: Extract<ThreadRequest, { kind: 'blend' }>): Promise<void> {
  const { background, grain, picture, fromRow, toRow } = request
  const back = await soften(request.back, fromRow, toRow)
  const front = await soften(request.front, fromRow, toRow)
  blendRows({ background, back, front, grain }, picture, fromRow, toRow)
  // Only what was softened is this thread's own.
  releaseMemory(back.image.data, front.image.data)
}

/** Rows about the softened ones that their blur reaches. */
const blurReach = Math.ceil(3.5 * blurSigmaMax)

/** Softens the rows that are asked for; the others are left black. */
async function soften(person: BlendPerson, fromRow: number, toRow: number): Promise<BlendPerson> {
  const { image, blurSigma } = person
  if (blurSigma < 0.3) return person
  const { width, height } = image
  const top = Math.max(0, fromRow - blurReach)
  const bottom = Math.min(height, toRow + blurReach)
  const rows = await sharp(image.data.subarray(top * width * 3, bottom * width * 3), {
    raw: { width, height: bottom - top, channels: 3 },
  })
    .blur(blurSigma)
    .raw()
    .toBuffer()
  const softened = createRgb(width, height)
  softened.data.set(
    rows.subarray((fromRow - top) * width * 3, (toRow - top) * width * 3),
    fromRow * width * 3,
  )
  releaseMemory(rows)
  return { ...person, image: softened }
}

type RequestOf<Kind extends ThreadRequest['kind']> = Extract<ThreadRequest, { kind: Kind }>

const handlers: {
  [Kind in ThreadRequest['kind']]: (
    request: RequestOf<Kind>,
  ) => ThreadResults[Kind] | Promise<ThreadResults[Kind]>
} = {
  read,
  mirror,
  inspect,
  cut,
  blend: blendPart,
  async drop({ session }) {
    sessions.delete(session)
  },
}

/** Does what the request asks; its fields belong to its kind. */
function answer<Kind extends ThreadRequest['kind']>(
  request: RequestOf<Kind> & { kind: Kind },
): ThreadResults[Kind] | Promise<ThreadResults[Kind]> {
  return handlers[request.kind](request)
}

/** The buffers of pictures travel without being copied. */
function transferable(result: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>()
  const visit = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength) {
        buffers.add(value.buffer)
      }
    } else if (typeof value === 'object' && value !== null) {
      Object.values(value).forEach(visit)
    }
  }
  visit(result)
  return [...buffers]
}

/** With no photo in work, arrays of more bytes than this are dead ones that have grown old. */
const deadBytesMax = 8_000_000

/**
 * Small planes lie outside of the collector's heap, so it would let many of them wait. After these
 * two requests nobody waits for the collection.
 */
function collectWhileIdle(after: 'read' | 'drop'): void {
  collectGarbage({ type: 'minor' })
  const isDone = after === 'drop' && sessions.size === 0
  if (isDone && process.memoryUsage().arrayBuffers > deadBytesMax) collectGarbage()
}

/** Work is done one after the other: the networks take one input at a time. */
let queue: Promise<void> = Promise.resolve()

port.on('message', ({ id, request, cancelled }: ThreadEnvelope) => {
  queue = queue.then(async () => {
    if (Atomics.load(cancelled, 0) !== 0 && request.kind !== 'drop') {
      port.postMessage({ id, error: new Error('cancelled') } satisfies ThreadAnswer)
      return
    }
    try {
      const result = await answer(request)
      // What a reading tells stays with the session too.
      const isReading = request.kind === 'read' || request.kind === 'mirror'
      const moves = isReading ? [] : transferable(result)
      port.postMessage({ id, result } satisfies ThreadAnswer, moves)
      if (request.kind === 'read' || request.kind === 'drop') collectWhileIdle(request.kind)
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error))
      port.postMessage({ id, error: cause } satisfies ThreadAnswer)
    }
  })
})
