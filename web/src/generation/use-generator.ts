import { startTransition, useEffect, useEffectEvent, useReducer, useRef } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { newIdempotencyKey, ApiError, isAbort } from '../api/call.ts'
import { decodeImage } from '../ui/decode-image.ts'
import { useListener } from '../ui/use-listener.ts'
import { readOpenHoldId, releaseOpenHold } from '../credits/open-hold.ts'
import { initialGeneratorState, reduceGenerator } from './generator-state.ts'
import type { GeneratorAction, Problem } from './generator-state.ts'
import {
  forgetGeneratedImage,
  noteUpload,
  takeInterruptedUpload,
  storeGeneratedImage,
  restoreGeneratedImage,
} from './image-cache.ts'
import { sameRequest, upload, CreditBackError } from './start-generation.ts'
import type { GenerationRequest, Started, KeyedRequest } from './start-generation.ts'
import { storageKeys } from '@starside/contract/api.ts'
import { followGeneration, fetchItem, findInterrupted } from './follow-generation.ts'
import type { ProgressListener } from './follow-generation.ts'

export interface GeneratorCallbacks {
  /** Asked before anything is sent; false stops silently. */
  verifyCredits: (celebrity: string) => Promise<boolean>
  onComplete: (success: boolean, imageUrl: string | null) => void
}

/** Makes selfies one at a time, and finds a running or recent one again after a reload. */
export function useGenerator({ verifyCredits, onComplete }: GeneratorCallbacks) {
  const [state, dispatch] = useReducer(reduceGenerator, initialGeneratorState)
  const controller = useRef<AbortController | null>(null)
  const unanswered = useRef<KeyedRequest | null>(null)
  const isLeaving = useRef(false)
  const departures = useRef(0)

  const report = useEffectEvent(onComplete)
  useEffect(() => {
    if (state.outcome) report(state.outcome.success, state.outcome.imageUrl)
  }, [state.outcome])

  // Finds what an earlier visit left, and ends what this one did not finish.
  useEffect(() => {
    const visit = new AbortController()
    void resumeEarlier(dispatch, controller, visit.signal)
    const leave = (): void => {
      departures.current += 1
      visit.abort()
      controller.current?.abort()
      // One that is asked for just now is given back once it is answered, or by the next page.
      if (readOpenHoldId() !== null) void releaseOpenHold()
    }
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
  // A browser may break the upload off long before it leaves the page: only the next one can tell of it then.
  useListener('beforeunload', () => {
    isLeaving.current = true
  })
  // A page that comes back from the browser's cache was left in the middle of its upload, or follows nothing any more.
  useListener('pageshow', ({ persisted }) => {
    if (persisted && state.running?.stage) location.reload()
    if (!persisted || takeInterruptedUpload() === null) return
    dispatch({ type: 'fail', problem: { kind: 'interruption' } })
  })

  const generate = async (
    celebrity: string,
    prepare: () => Promise<GenerationRequest>,
  ): Promise<void> => {
    dispatch({ type: 'begin' })
    isLeaving.current = false
    const visit = departures.current
    const nowMs = Date.now()
    noteUpload(nowMs)
    const stop = (problem: Problem | null): void => {
      if (!isLeaving.current) takeInterruptedUpload()
      dispatch({ type: 'stop', problem })
    }
    const request = await prepare().catch(({ message }: Error) =>
      stop({ kind: 'choice', sentence: message }),
    )
    if (!request) return
    const earlier = unanswered.current
    const same = earlier && sameRequest(earlier.request, request) ? earlier : null
    const isHeld = same !== null || (await verifyCredits(celebrity).catch(() => null))
    // Whoever left meanwhile is told when they come back.
    if (departures.current !== visit) return void releaseOpenHold()
    if (!isHeld) return stop(isHeld === null ? { kind: 'verification' } : null)
    const keyed = same ?? { request, key: newIdempotencyKey(), holdId: readOpenHoldId() }
    const running = { stage: null, startedAtMs: nowMs, expectedMs: null }
    dispatch({ type: 'progress', running })
    unanswered.current = keyed
    await follow(dispatch, controller, (signal) =>
      upload(keyed, signal, nowMs, (isAnswered) => {
        if (!isLeaving.current) takeInterruptedUpload()
        if (isAnswered) unanswered.current = null
      }),
    )
  }

  return {
    busy: state.phase !== 'idle',
    running: state.running,
    picture: state.picture,
    problem: state.problem,
    generate,
    dismissProblem: () => dispatch({ type: 'dismiss' }),
    outdateProblem: () => dispatch({ type: 'outdate' }),
    changeItem: (item: GenerationItem) => dispatch({ type: 'show-item', item }),
    removePicture: () => {
      forgetGeneratedImage()
      dispatch({ type: 'remove-picture' })
    },
  }
}

type Dispatch = (action: GeneratorAction) => void

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
    const { imageUrl, item } = picture
    storeGeneratedImage({ imageUrl, generationId: item?.generationId }, Date.now())
    await decodeImage(item?.thumbnailUrl ?? imageUrl).catch(() => undefined)
    if (own.signal.aborted) return
    // The work stays in sight until what shows its picture has come.
    startTransition(() => dispatch({ type: 'finish', picture }))
  } catch (failure) {
    if (own.signal.aborted || isAbort(failure)) return
    localStorage.removeItem(storageKeys.runningGeneration)
    const isCreditBack = failure instanceof CreditBackError
    const cause = isCreditBack ? failure.cause : failure
    dispatch({ type: 'fail', problem: { kind: 'failure', failure: cause, isCreditBack } })
    const madeId = failure instanceof ApiError ? failure.generationId : undefined
    // The sentence is about this picture, whichever was shown.
    const item = madeId && (await fetchItem(madeId, own.signal).catch(() => null))
    if (item) startTransition(() => dispatch({ type: 'show-item', item }))
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
  const cause = new ApiError(error ?? '', 200, code ?? 'NO_REASON', error !== null)
  throw finished.state === 'failed' ? new CreditBackError('It failed.', { cause }) : cause
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
    const picture = { imageUrl, item: null, fresh: false }
    startTransition(() => dispatch({ type: 'restore', picture }))
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
  if (startedAtMs === null && (signal.aborted || !wasReleased)) return
  const item = await findInterrupted(startedAtMs ?? Date.now(), signal)
  // Nobody was told yet.
  if (signal.aborted && startedAtMs !== null) noteUpload(startedAtMs)
  if (signal.aborted) return
  if (item) return follow(dispatch, controller, () => Promise.resolve({ item }))
  if (startedAtMs !== null) dispatch({ type: 'fail', problem: { kind: 'interruption' } })
}

/** Asks what belongs to a picture of which only the address was kept, and whether it is still there. */
async function refreshRestored(dispatch: Dispatch, generationId: string, signal: AbortSignal) {
  try {
    const item = await fetchItem(generationId, signal)
    const { imageUrl } = item
    const picture = imageUrl ? { imageUrl, item, fresh: false } : null
    if (picture) startTransition(() => dispatch({ type: 'restore', picture }))
  } catch (failure) {
    if (isAbort(failure) || !(failure instanceof ApiError) || failure.status !== 404) return
    forgetGeneratedImage()
    dispatch({ type: 'remove-picture' })
  }
}
