import { storageKeys } from '@starside/contract/api.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { ApiError, isAbort } from '../api/api-error.ts'
import { followGeneration, type ProgressListener } from './follow-generation.ts'
import type { GeneratorAction, Problem } from './generator-state.ts'
import { storeGeneratedImage } from './image-cache.ts'
import { BrokenUploadError } from './send-request.ts'
import type { Started } from './start-generation.ts'

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
    const problem: Problem =
      failure instanceof BrokenUploadError
        ? { kind: 'failure', failure: failure.failure, isCreditBack: true }
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
  throw new ApiError(finished.error ?? '', {
    status: 200,
    code: finished.code ?? 'NO_REASON',
    fromServer: finished.error !== null,
  })
}
