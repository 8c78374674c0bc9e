import { Worker } from 'node:worker_threads'
import type { ColourPlanes } from '@starside/engine/image/colour-planes.ts'
import type { FaceMesh } from '@starside/engine/compositor/faces/face-mesh.ts'
import type { LayoutSubject } from '@starside/engine/compositor/layout/layout-subject.ts'
import type { FoundFace } from '@starside/engine/compositor/faces/find-faces.ts'
import type { HeadMeasure } from '@starside/engine/compositor/faces/measure-head.ts'
import type { LightMeasure } from '@starside/engine/compositor/harmonise/measure-light.ts'
import type { BytePlane, Plane, RgbImage } from '@starside/engine/image/raster.ts'
import type { FaceLight } from '@starside/engine/compositor/relight/fit-light.ts'
import type { RelightPlan } from '@starside/engine/compositor/relight/plan-relight.ts'
import type { FaceSamples } from '@starside/engine/compositor/relight/sample-face.ts'
import type { Frame } from '@starside/engine/compositor/shared-frames.ts'
import type { Similarity } from '@starside/engine/image/warp.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import type { PhotoHint, PhotoRefusal } from '@starside/engine/photo/photo-error.ts'
import { compileRuntime } from '@starside/engine/models/litert-runtime.ts'

export type ProbeRequest =
  | { kind: 'heads'; image: RgbImage }
  | { kind: 'faces'; image: RgbImage }
  | { kind: 'subject'; photo: NormalisedPhoto }
  | { kind: 'person'; photo: NormalisedPhoto; mirrored?: boolean }
  | { kind: 'background'; photo: NormalisedPhoto; toPicture: Similarity; picture: Size }
  | { kind: 'relit'; photo: NormalisedPhoto; plan: RelightPlan }
  | { kind: 'matte'; photo: NormalisedPhoto; faceIndex?: number }
  | { kind: 'cutOut'; photo: NormalisedPhoto; headSize: number }

interface Size {
  width: number
  height: number
}

/** A photo's background in a picture, at a quarter of its size. */
export interface BackgroundReading {
  planes: ColourPlanes
  /** Where people stood in it, 0…1. */
  people: Plane
}

/** What the compositor reads of one person before it lays a picture out. */
export interface PersonReading extends LayoutSubject {
  /** Pixels of the upright photo. */
  width: number
  height: number
  mesh: FaceMesh
  light: LightMeasure
  faceLight: FaceLight
  sharpness: number
  refusals: PhotoRefusal[]
  hints: PhotoHint[]
  /** The upright photo at the size of the silhouette's mask. */
  small: RgbImage
}

export interface ProbeResult {
  heads?: HeadMeasure[]
  /** Every face with its mesh, and the mean colours of the mesh's triangles. */
  faces?: (FoundFace & { samples: FaceSamples })[]
  subject?: LayoutSubject
  person?: PersonReading
  background?: BackgroundReading
  alpha?: BytePlane
  /** A person as they come into a picture in which their head has the size that was asked for. */
  cutOut?: Frame
  /** The photo with the light on its person moved. */
  relit?: RgbImage
}

export type ProbeAnswer = { id: number; result: ProbeResult } | { id: number; error: Error }

/**
 * Asks single stages of the compositor; an empty result where a photo has no face, or may not be
 * mirrored.
 */
export interface StageProbe {
  ask(question: ProbeRequest): Promise<ProbeResult>
  close(): Promise<void>
}

export async function openStageProbe(): Promise<StageProbe> {
  const worker = new Worker(new URL('./stage-probe-thread.ts', import.meta.url), {
    workerData: { runtime: await compileRuntime() },
  })
  const waiting = new Map<number, (answer: ProbeAnswer) => void>()
  let lastId = 0
  worker.on('message', (answer: ProbeAnswer) => {
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  const failed = new Promise<never>((_, reject) => worker.on('error', reject))
  failed.catch(() => {})
  return {
    ask(question) {
      const id = ++lastId
      const answered = new Promise<ProbeResult>((resolve, reject) => {
        waiting.set(id, (answer) =>
          'error' in answer ? reject(answer.error) : resolve(answer.result),
        )
      })
      worker.postMessage({ id, question })
      return Promise.race([answered, failed])
    },
    async close() {
      await worker.terminate()
    },
  }
}
