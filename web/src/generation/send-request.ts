import { ApiError } from '../api/api-error.ts'
import { forgetOpenHold, giveBackOpenHold } from '../credits/open-hold.ts'
import { forgetUsedPhotos } from './selfie-draft.ts'
import {
  photosOf,
  startGeneration,
  type GenerationRequest,
  type Started,
} from './start-generation.ts'
import { findInterrupted } from './follow-generation.ts'

/** One try that may be repeated after a lost connection without paying twice. */
export interface KeyedRequest {
  request: GenerationRequest
  key: string
  /** The credit that this tab has set aside for it; null lets the server choose. */
  holdId: string | null
}

/** An upload that broke off and whose credit was given back; `cause` says how. */
export class BrokenUploadError extends Error {
  override name = 'BrokenUploadError'
}

/**
 * Sends the photos; `onAnswer` is called with whether it is known what became of the request. An
 * upload that breaks off gives its credit back at once, unless the photos had arrived and only the
 * answer had not. Throws {@link BrokenUploadError}, and what `startGeneration` throws.
 */
export async function upload(
  { request, key, holdId }: KeyedRequest,
  signal: AbortSignal,
  startedAtMs: number,
  onAnswer: (isAnswered: boolean) => void,
): Promise<Started> {
  try {
    const started = await startGeneration(request, { idempotencyKey: key, holdId }, signal)
    forgetOpenHold()
    forgetUsedPhotos(photosOf(request))
    onAnswer(true)
    return started
  } catch (failure) {
    if (signal.aborted) throw failure
    // A refusal of the program itself has given the credit back; one of a proxy knows of none.
    if (failure instanceof ApiError && failure.fromServer) {
      forgetOpenHold()
      onAnswer(true)
      throw failure
    }
    const isBack = await giveBackOpenHold()
    onAnswer(isBack !== null || (failure instanceof ApiError && failure.status > 0))
    if (isBack === true) throw new BrokenUploadError('The upload broke off.', { cause: failure })
    const item = isBack === false ? await findInterrupted(startedAtMs, signal) : null
    if (item === null) throw failure
    forgetUsedPhotos(photosOf(request))
    return { item }
  }
}

/**
 * True for the same request once more; a preset's picture is fetched anew each time, but is the
 * same.
 */
export function sameRequest(a: GenerationRequest, b: GenerationRequest): boolean {
  const [one, other] = [partsOf(a), partsOf(b)]
  return one.length === other.length && one.every((part, index) => part === other[index])
}

function partsOf({ userFaces, stars, ...rest }: GenerationRequest): unknown[] {
  const ofStars = stars.flatMap(({ presetId, photo, faceIndex }): unknown[] =>
    presetId === null ? [photo, faceIndex] : [presetId],
  )
  return [userFaces.join(), ...ofStars, ...Object.values({ ...rest, photoDigests: null })]
}
