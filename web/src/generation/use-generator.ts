import { useCallback, useEffect, useRef, useState } from 'react'
import { storageKeys } from '@starside/contract/api.ts'
import type { GenerationAnswer, GenerationItem } from '@starside/contract/generation.ts'
import type { GenerationStage } from '@starside/contract/scenes.ts'
import { ApiError, isAbort } from '../api/api-error.ts'
import { call, newIdempotencyKey } from '../api/call.ts'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { useMessages } from '../ui/language.tsx'
import { failureText } from './failure-text.ts'
import { followGeneration } from './follow-generation.ts'
import { forgetGeneratedImage, restoreGeneratedImage, storeGeneratedImage } from './image-cache.ts'
import { startGeneration, type GenerationRequest } from './start-generation.ts'

/** The picture on show; `item` is missing until the server has told about a restored one. */
export interface GeneratedPicture {
  imageUrl: string
  item: GenerationItem | null
  /** True when it was made just now, so that it fades in. */
  fresh: boolean
}

export interface RunningGeneration {
  /** Null while the photos are on their way up. */
  stage: GenerationStage | null
  startedAtMs: number
  /** How long such a picture usually takes in all; null while nobody knows. */
  expectedMs: number | null
}

interface GeneratorCallbacks {
  /** Asked before anything is sent; false stops silently. */
  verifyCredits: (celebrity: string) => Promise<boolean>
  onComplete: (success: boolean, imageUrl: string | null) => void
}

/** One attempt that may be repeated after a lost connection without paying twice. */
interface Attempt {
  request: GenerationRequest
  key: string
}

/** Makes selfies one at a time, and finds a running or recent one again after a reload. */
export function useGenerator({ verifyCredits, onComplete }: GeneratorCallbacks) {
  const m = useMessages('dashboard')
  const sentenceOf = useErrorSentence()
  const [running, setRunning] = useState<RunningGeneration | null>(null)
  const [picture, setPicture] = useState<GeneratedPicture | null>(null)
  const [error, setError] = useState<string | null>(null)
  const controller = useRef<AbortController | null>(null)
  const unsettled = useRef<Attempt | null>(null)
  const latest = useRef({ m, sentenceOf, onComplete })
  useEffect(() => {
    latest.current = { m, sentenceOf, onComplete }
  })

  const follow = useCallback(async (item: GenerationItem, signal: AbortSignal) => {
    localStorage.setItem(storageKeys.runningGeneration, item.generationId)
    const startedAtMs = Math.min(Date.now(), Date.parse(item.createdAt) || Date.now())
    const expectedMs = item.expectedMs ?? null
    setRunning({ stage: item.stage, startedAtMs, expectedMs })
    const finished = await followGeneration(
      item.generationId,
      (stage) => setRunning({ stage, startedAtMs, expectedMs }),
      signal,
    )
    localStorage.removeItem(storageKeys.runningGeneration)
    if (finished.state !== 'done' || !finished.imageUrl) {
      throw new ApiError(finished.error ?? latest.current.m.aiGenerationFailed, {
        status: 200,
        code: finished.code ?? 'generation_failed',
        fromServer: finished.error !== null,
      })
    }
    storeGeneratedImage(
      { imageUrl: finished.imageUrl, generationId: finished.generationId },
      Date.now(),
    )
    setPicture({ imageUrl: finished.imageUrl, item: finished, fresh: true })
    latest.current.onComplete(true, finished.imageUrl)
  }, [])

  const run = useCallback(
    async (begin: (signal: AbortSignal) => Promise<GenerationItem>) => {
      const own = new AbortController()
      controller.current?.abort()
      controller.current = own
      try {
        await follow(await begin(own.signal), own.signal)
      } catch (failure) {
        if (own.signal.aborted || isAbort(failure)) return
        localStorage.removeItem(storageKeys.runningGeneration)
        setError(failureText(failure, latest.current.m, latest.current.sentenceOf))
        latest.current.onComplete(false, null)
      } finally {
        if (controller.current === own) {
          controller.current = null
          setRunning(null)
        }
      }
    },
    [follow],
  )

  // What an earlier visit left: a generation that still runs, else a picture of the last half hour.
  useEffect(() => {
    // oxlint-disable react/set-state-in-effect -- local storage is read once, after hydration.
    const runningId = localStorage.getItem(storageKeys.runningGeneration)
    const cached = restoreGeneratedImage(Date.now())
    if (cached) setPicture({ imageUrl: cached.imageUrl, item: null, fresh: false })
    const lookUp = new AbortController()
    if (runningId) void run((signal) => fetchItem(runningId, signal))
    if (cached?.generationId) {
      fetchItem(cached.generationId, lookUp.signal).then(
        (item) => {
          const imageUrl = item.imageUrl
          if (imageUrl)
            setPicture((shown) => (shown?.fresh ? shown : { imageUrl, item, fresh: false }))
        },
        (failure: unknown) => {
          if (isAbort(failure) || !(failure instanceof ApiError) || failure.status !== 404) return
          forgetGeneratedImage()
          setPicture((shown) => (shown?.fresh ? shown : null))
        },
      )
    }
    return () => {
      lookUp.abort()
      controller.current?.abort()
    }
  }, [run])

  const generate = async (
    celebrity: string,
    prepare: () => Promise<GenerationRequest>,
  ): Promise<void> => {
    setError(null)
    setRunning({ stage: null, startedAtMs: Date.now(), expectedMs: null })
    const giveUp = (text: string | null): void => {
      setRunning(null)
      setError(text)
    }
    let request: GenerationRequest
    try {
      request = await prepare()
    } catch (failure) {
      return giveUp(failure instanceof Error ? failure.message : m.failedToGenerateSelfie)
    }
    const earlier = unsettled.current
    const attempt =
      earlier && sameRequest(earlier.request, request)
        ? earlier
        : { request, key: newIdempotencyKey() }
    if (attempt !== earlier) {
      try {
        if (!(await verifyCredits(celebrity))) return giveUp(null)
      } catch {
        return giveUp(m.verifyFailed)
      }
    }
    setRunning({ stage: null, startedAtMs: Date.now(), expectedMs: null })
    unsettled.current = attempt
    await run(async (signal) => {
      try {
        const item = await startGeneration(attempt.request, attempt.key, signal)
        unsettled.current = null
        return item
      } catch (failure) {
        // Only where no answer came is it unknown what became of the request.
        if (failure instanceof ApiError && failure.status > 0) unsettled.current = null
        throw failure
      }
    })
  }

  return {
    running,
    picture,
    error,
    generate,
    dismissError: () => setError(null),
    showError: setError,
    setPicture,
    clearPicture: () => {
      forgetGeneratedImage()
      setPicture(null)
    },
  }
}

async function fetchItem(generationId: string, signal: AbortSignal): Promise<GenerationItem> {
  const path = `/generations/${encodeURIComponent(generationId)}`
  return (await call<GenerationAnswer>(path, { signal })).generation
}

/** True for the same wish once more; a preset's picture is fetched anew each time, but is the same. */
function sameRequest(a: GenerationRequest, b: GenerationRequest): boolean {
  return (Object.keys(a) as (keyof GenerationRequest)[]).every(
    (key) => a[key] === b[key] || (key === 'celebrityPhoto' && a.presetId !== null),
  )
}
