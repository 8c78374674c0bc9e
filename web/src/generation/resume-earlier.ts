import { storageKeys } from '@starside/contract/api.ts'
import { ApiError, isAbort } from '../api/api-error.ts'
import { releaseOpenHold } from '../credits/open-hold.ts'
import { forgetGeneratedImage, restoreGeneratedImage } from './image-cache.ts'
import { takeInterruptedUpload } from './interrupted-upload.ts'
import { follow, type Dispatch } from './follow-picture.ts'
import { fetchItem, findInterrupted } from './follow-generation.ts'

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
