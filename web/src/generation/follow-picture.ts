import { storageKeys } from '@starside/contract/api.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { ApiError, isAbort } from '../api/api-error.ts'
import {
  followGeneration,
  type ProgressListener,
  fetchItem,
  findInterrupted,
} from './follow-generation.ts'
import type { GeneratorAction, Problem } from './generator-state.ts'
import {
  storeGeneratedImage,
  forgetGeneratedImage,
  restoreGeneratedImage,
  takeInterruptedUpload,
} from './image-cache.ts'
import { BrokenUploadError } from './send-request.ts'
import type { Started } from './start-generation.ts'
import { releaseOpenHold } from '../credits/open-hold.ts'

/** Sends the generator's state machine what happened. */
export type Dispatch = (action: GeneratorAction) => void

/** Follows one picture from its start to its end, in place of any other that was followed. */
export async function follow(
  dispatch: Dispatch,
  controller: { current: AbortController | null },
  begin: (signal: AbortSignal) => Promise<Started>,
): Promise<void> {
  const own = new AbortController()
  controller.current?.abort()
  controller.current = own
  try {
    const started = await begin(own.signal)
    const picture = started.item
      ? await untilFinished(dispatch, started.item, own.signal)
      : { imageUrl: started.imageUrl, item: null, fresh: true }
    storeGeneratedImage(
      {
        imageUrl: picture.imageUrl,
        ...(picture.item ? { generationId: picture.item.generationId } : {}),
      },
      Date.now(),
    )
    dispatch({ type: 'finish', picture })
  } catch (failure) {
    if (own.signal.aborted || isAbort(failure)) return
    localStorage.removeItem(storageKeys.runningGeneration)
    const isCreditBack = failure instanceof BrokenUploadError
    const problem: Problem = isCreditBack
      ? { kind: 'failure', failure: failure.cause, isCreditBack }
      : { kind: 'failure', failure }
    dispatch({ type: 'fail', problem })
  } finally {
    if (controller.current === own) controller.current = null
  }
}

async function untilFinished(dispatch: Dispatch, item: GenerationItem, signal: AbortSignal) {
  localStorage.setItem(storageKeys.runningGeneration, item.generationId)
  const startedAtMs = Math.min(Date.now(), Date.parse(item.createdAt) || Date.now())
  const expectedMs = item.expectedMs ?? null
  const show: ProgressListener = ({ stage, stagePercent }) =>
    dispatch({ type: 'progress', running: { stage, stagePercent, startedAtMs, expectedMs } })
  show(item)
  const finished =
    item.state === 'running' ? await followGeneration(item.generationId, show, signal) : item
  localStorage.removeItem(storageKeys.runningGeneration)
  if (finished.state === 'done' && finished.imageUrl) {
    return { imageUrl: finished.imageUrl, item: finished, fresh: true }
  }
  const { error, code } = finished
  throw new ApiError(error ?? '', 200, code ?? 'NO_REASON', error !== null)
}

/** What an earlier visit left: a generation that still runs, else a picture of the last half hour. */
export async function resumeEarlier(
  dispatch: Dispatch,
  controller: { current: AbortController | null },
  signal: AbortSignal,
): Promise<void> {
  const cached = restoreGeneratedImage(Date.now())
  if (cached) {
    const { imageUrl, generationId } = cached
    dispatch({ type: 'restore', picture: { imageUrl, item: null, fresh: false } })
    if (generationId) void refreshRestored(dispatch, generationId, signal)
  }
  const runningId = localStorage.getItem(storageKeys.runningGeneration)
  if (runningId) {
    takeInterruptedUpload()
    return follow(dispatch, controller, async (own) => ({ item: await fetchItem(runningId, own) }))
  }
  const startedAtMs = takeInterruptedUpload()
  // A hold of a page that ended without being able to say so.
  const wasReleased = await releaseOpenHold()
  if (signal.aborted || (startedAtMs === null && !wasReleased)) return
  const item = await findInterrupted(startedAtMs ?? Date.now(), signal)
  if (signal.aborted) return
  if (item) return follow(dispatch, controller, () => Promise.resolve({ item }))
  if (startedAtMs !== null) dispatch({ type: 'fail', problem: { kind: 'interruption' } })
}

/** Asks for what belongs to a picture of which only the address was kept, and whether it is still there. */
async function refreshRestored(
  dispatch: Dispatch,
  generationId: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const item = await fetchItem(generationId, signal)
    const { imageUrl } = item
    if (imageUrl) dispatch({ type: 'restore', picture: { imageUrl, item, fresh: false } })
  } catch (failure) {
    if (isAbort(failure) || !(failure instanceof ApiError) || failure.status !== 404) return
    forgetGeneratedImage()
    dispatch({ type: 'remove-picture' })
  }
}
