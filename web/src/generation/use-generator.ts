import { useEffect, useEffectEvent, useReducer, useRef, type RefObject } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { newIdempotencyKey } from '../api/call.ts'
import { useListener } from '../ui/use-listener.ts'
import { readOpenHoldId, releaseOpenHold } from '../credits/open-hold.ts'
import {
  initialGeneratorState,
  reduceGenerator,
  type Outcome,
  type Problem,
} from './generator-state.ts'
import {
  forgetGeneratedImage,
  noteInterruptedUpload,
  takeInterruptedUpload,
} from './image-cache.ts'
import type { GenerationRequest } from './start-generation.ts'
import { follow, type Dispatch, resumeEarlier } from './follow-picture.ts'
import { sameRequest, upload, type KeyedRequest } from './send-request.ts'

export interface GeneratorCallbacks {
  /** Asked before anything is sent; false stops silently. */
  verifyCredits: (celebrity: string) => Promise<boolean>
  onComplete: (success: boolean, imageUrl: string | null) => void
}

/** Makes selfies one at a time, and finds a running or recent one again after a reload. */
export function useGenerator({ verifyCredits, onComplete }: GeneratorCallbacks) {
  const [state, dispatch] = useReducer(reduceGenerator, initialGeneratorState)
  const controller = useRef<AbortController | null>(null)
  const uploadStartedAtMs = useRef<number | null>(null)
  const unanswered = useRef<KeyedRequest | null>(null)

  const reportOutcome = useEffectEvent((outcome: Outcome) =>
    onComplete(outcome.success, outcome.imageUrl),
  )
  useEffect(() => {
    if (state.outcome) reportOutcome(state.outcome)
  }, [state.outcome])

  useVisit(dispatch, controller, uploadStartedAtMs)
  // A page that comes back from the browser's cache was left in the middle of its upload.
  useListener('pageshow', ({ persisted }) => {
    if (!persisted || takeInterruptedUpload() === null) return
    uploadStartedAtMs.current = null
    dispatch({ type: 'fail', problem: { kind: 'interruption' } })
  })

  const generate = async (
    celebrity: string,
    prepare: () => Promise<GenerationRequest>,
  ): Promise<void> => {
    dispatch({ type: 'begin' })
    const request = await prepare().catch((failure: unknown) =>
      dispatch({ type: 'stop', problem: problemOf(failure) }),
    )
    if (!request) return
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
    await follow(dispatch, controller, (signal) =>
      upload(keyed, signal, nowMs, (isAnswered) => {
        uploadStartedAtMs.current = null
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
    changeItem: (item: GenerationItem) => dispatch({ type: 'change-item', item }),
    removePicture: () => {
      forgetGeneratedImage()
      dispatch({ type: 'remove-picture' })
    },
  }
}

/** Finds what an earlier visit left, and leaves a note of what this one did not finish. */
function useVisit(
  dispatch: Dispatch,
  controller: RefObject<AbortController | null>,
  uploadStartedAtMs: RefObject<number | null>,
): void {
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
  }, [controller, dispatch, uploadStartedAtMs])
}

function problemOf(failure: unknown): Problem {
  return failure instanceof Error
    ? { kind: 'choice', sentence: failure.message }
    : { kind: 'failure', failure }
}
