import { useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { storageKeys } from '@starside/contract/api.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { ApiError, isAbort } from '../api/api-error.ts'
import { newIdempotencyKey } from '../api/call.ts'
import { forgetOpenHold, readOpenHoldId, releaseOpenHold } from '../credits/open-hold.ts'
import { fetchItem, findInterrupted } from './find-generation.ts'
import { followGeneration } from './follow-generation.ts'
import {
  initialGeneratorState,
  reduceGenerator,
  type GeneratorAction,
  type Outcome,
} from './generator-state.ts'
import { forgetGeneratedImage, restoreGeneratedImage, storeGeneratedImage } from './image-cache.ts'
import { noteInterruptedUpload, takeInterruptedUpload } from './interrupted-upload.ts'
import { forgetUsedPhotos } from './selfie-draft.ts'
import { startGeneration, type GenerationRequest, type Started } from './start-generation.ts'

interface GeneratorCallbacks {
  /** Asked before anything is sent; false stops silently. */
  verifyCredits: (celebrity: string) => Promise<boolean>
  onComplete: (success: boolean, imageUrl: string | null) => void
}

/** One try that may be repeated after a lost connection without paying twice. */
interface KeyedRequest {
  request: GenerationRequest
  key: string
  /** The credit that this tab has set aside for it; null lets the server choose. */
  holdId: string | null
}

type Dispatch = (action: GeneratorAction) => void

/** Makes selfies one at a time, and finds a running or recent one again after a reload. */
export function useGenerator({ verifyCredits, onComplete }: GeneratorCallbacks) {
  const [state, dispatch] = useReducer(reduceGenerator, initialGeneratorState)
  const controller = useRef<AbortController | null>(null)
  const uploadStartedAtMs = useRef<number | null>(null)
  const unanswered = useRef<KeyedRequest | null>(null)

  const tellOutcome = useEffectEvent((outcome: Outcome) =>
    onComplete(outcome.success, outcome.imageUrl),
  )
  useEffect(() => {
    if (state.outcome) tellOutcome(state.outcome)
  }, [state.outcome])

  useEffect(() => {
    const visit = new AbortController()
    void resumeEarlier(dispatch, controller, visit.signal)
    const leave = (): void => {
      visit.abort()
      const startedAtMs = uploadStartedAtMs.current
      if (startedAtMs !== null) noteInterruptedUpload(startedAtMs)
      controller.current?.abort()
      void releaseOpenHold()
    }
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [])

  // A page that comes back from the browser's cache was left in the middle of its upload.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent): void => {
      if (!event.persisted || takeInterruptedUpload() === null) return
      uploadStartedAtMs.current = null
      dispatch({ type: 'fail', problem: { kind: 'interruption' } })
    }
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [])

  const generate = async (
    celebrity: string,
    prepare: () => Promise<GenerationRequest>,
  ): Promise<void> => {
    dispatch({ type: 'begin' })
    let request: GenerationRequest
    try {
      request = await prepare()
    } catch (failure) {
      const known = failure instanceof Error
      return dispatch({
        type: 'stop',
        problem: known
          ? { kind: 'choice', sentence: failure.message }
          : { kind: 'failure', failure },
      })
    }
    const earlier = unanswered.current
    let keyed = earlier && sameRequest(earlier.request, request) ? earlier : null
    if (keyed === null) {
      try {
        if (!(await verifyCredits(celebrity))) return dispatch({ type: 'stop', problem: null })
      } catch {
        return dispatch({ type: 'stop', problem: { kind: 'verification' } })
      }
      keyed = { request, key: newIdempotencyKey(), holdId: readOpenHoldId() }
    }
    const nowMs = Date.now()
    dispatch({ type: 'upload', nowMs })
    uploadStartedAtMs.current = nowMs
    unanswered.current = keyed
    await follow(dispatch, controller, async (signal) => {
      const started = await upload(keyed, signal, (isAnswered) => {
        uploadStartedAtMs.current = null
        if (isAnswered) unanswered.current = null
      })
      return started
    })
  }

  return {
    busy: state.phase !== 'idle',
    running: state.running,
    picture: state.picture,
    problem: state.problem,
    generate,
    dismissProblem: () => dispatch({ type: 'dismiss' }),
    changeItem: (item: GenerationItem) => dispatch({ type: 'change-item', item }),
    removePicture: () => {
      forgetGeneratedImage()
      dispatch({ type: 'remove-picture' })
    },
  }
}

/** Sends the photos; `onAnswer` is told whether it is known what became of the request. */
async function upload(
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

/** What an earlier visit left: a generation that still runs, else a picture of the last half hour. */
async function resumeEarlier(
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

/** Follows one picture from its start to its end, in place of any other that was followed. */
async function follow(
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
    dispatch({ type: 'fail', problem: { kind: 'failure', failure } })
  } finally {
    if (controller.current === own) controller.current = null
  }
}

async function untilFinished(dispatch: Dispatch, item: GenerationItem, signal: AbortSignal) {
  localStorage.setItem(storageKeys.runningGeneration, item.generationId)
  const startedAtMs = Math.min(Date.now(), Date.parse(item.createdAt) || Date.now())
  const expectedMs = item.expectedMs ?? null
  const show = (stage: GenerationItem['stage']): void =>
    dispatch({ type: 'progress', running: { stage, startedAtMs, expectedMs } })
  show(item.stage)
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

/** True for the same request once more; a preset's picture is fetched anew each time, but is the same. */
function sameRequest(a: GenerationRequest, b: GenerationRequest): boolean {
  return (Object.keys(a) as (keyof GenerationRequest)[]).every(
    (key) => a[key] === b[key] || (key === 'celebrityPhoto' && a.presetId !== null),
  )
}
