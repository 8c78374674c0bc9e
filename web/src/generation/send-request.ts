import { ApiError } from '../api/api-error.ts'
import { forgetOpenHold } from '../credits/open-hold.ts'
import { forgetUsedPhotos } from './selfie-draft.ts'
import { startGeneration, type GenerationRequest, type Started } from './start-generation.ts'

/** One try that may be repeated after a lost connection without paying twice. */
export interface KeyedRequest {
  request: GenerationRequest
  key: string
  /** The credit that this tab has set aside for it; null lets the server choose. */
  holdId: string | null
}

/** Sends the photos; `onAnswer` is told whether it is known what became of the request. */
export async function upload(
  { request, key, holdId }: KeyedRequest,
  signal: AbortSignal,
  onAnswer: (isAnswered: boolean) => void,
): Promise<Started> {
  try {
    const started = await startGeneration(request, { idempotencyKey: key, holdId }, signal)
    forgetOpenHold()
    forgetUsedPhotos([request.userPhoto, request.celebrityPhoto])
    onAnswer(true)
    return started
  } catch (failure) {
    if (signal.aborted) throw failure
    const answered = failure instanceof ApiError && failure.status > 0
    // A refusal of the program itself has given the credit back; one of a proxy knows of none.
    if (failure instanceof ApiError && failure.fromServer) forgetOpenHold()
    onAnswer(answered)
    throw failure
  }
}

/** True for the same request once more; a preset's picture is fetched anew each time, but is the same. */
export function sameRequest(a: GenerationRequest, b: GenerationRequest): boolean {
  return (Object.keys(a) as (keyof GenerationRequest)[]).every(
    (key) => a[key] === b[key] || (key === 'celebrityPhoto' && a.presetId !== null),
  )
}
