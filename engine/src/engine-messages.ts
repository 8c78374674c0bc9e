import type { EngineInput, EngineMethod, EngineStage } from './engine-calls.ts'
import type { ProvenanceSettings } from '@starside/provenance/open-provenance.ts'
import { PhotoError } from './photo/photo-error.ts'
import type { PhotoRefusal, PhotoRole } from './photo/photo-error.ts'
import { LayersError } from './compositor/layers/layers-error.ts'
import type { LayersFault } from './compositor/layers/layers-error.ts'
import { PictureError } from './photo/picture-error.ts'
import type { PictureFault } from './photo/picture-error.ts'

/** One call, as plain data: signals and callbacks stay behind. */
export interface EngineCall<Method extends EngineMethod = EngineMethod> {
  method: Method
  input: EngineInput<Method>
}

/** What the engine's process is opened with. */
export interface EngineSettings {
  provenance: ProvenanceSettings
  /** POSIX nice value of the process, 0 to 19. */
  niceness: number
}

/** From the host to the engine's process. */
export type HostMessage =
  | { type: 'open'; settings: EngineSettings }
  | ({ type: 'call'; id: number } & EngineCall)
  | { type: 'abort'; id: number }
  | { type: 'stamp'; id: number; answer: Uint8Array | undefined }
  | { type: 'close' }

/** From the engine's process to the host. */
export type ProcessMessage =
  | { type: 'ready' }
  | { type: 'memory'; residentBytes: number }
  | { type: 'stage'; id: number; stage: EngineStage }
  /** Asks the time-stamping authority, which this process doesn't reach. */
  | { type: 'askStamp'; id: number; request: Uint8Array }
  | { type: 'result'; id: number; output: unknown }
  | { type: 'failure'; id: number; failure: Failure }

/** An error as data. An expected failure keeps its meaning, everything else its words. */
export type Failure =
  | { kind: 'photo'; code: PhotoRefusal; photo: PhotoRole | undefined }
  | { kind: 'picture'; fault: PictureFault }
  | { kind: 'layers'; code: LayersFault }
  | { kind: 'other'; name: string; message: string; stack: string | undefined }

export function toFailure(error: unknown): Failure {
  if (error instanceof PhotoError) return { kind: 'photo', code: error.code, photo: error.photo }
  if (error instanceof PictureError) return { kind: 'picture', fault: error.fault }
  if (error instanceof LayersError) return { kind: 'layers', code: error.code }
  if (!(error instanceof Error)) {
    return { kind: 'other', name: 'Error', message: String(error), stack: undefined }
  }
  return { kind: 'other', name: error.name, message: error.message, stack: error.stack }
}

export function fromFailure(failure: Failure): Error {
  if (failure.kind === 'photo') return new PhotoError(failure.code, failure.photo)
  if (failure.kind === 'picture') return new PictureError(failure.fault)
  if (failure.kind === 'layers') return new LayersError(failure.code)
  const error = new Error(failure.message)
  error.name = failure.name
  if (failure.stack !== undefined) error.stack = failure.stack
  return error
}
