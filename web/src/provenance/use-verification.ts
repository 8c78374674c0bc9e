import { useEffect, useRef, useState } from 'react'
import type { VerifyAnswer } from '@starside/contract/provenance.ts'
import { call } from '../api/call.ts'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { useMessages } from '../ui/language.tsx'

/** Asks of one picture after the other whether it was made here; only the last one counts. */
export function useVerification() {
  const m = useMessages('trust')
  const sentenceOf = useErrorSentence()
  const [name, setName] = useState<string | null>(null)
  const [answer, setAnswer] = useState<VerifyAnswer | null>(null)
  const [error, setError] = useState<string | null>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  const ask = async (file: File, signal: AbortSignal): Promise<void> => {
    try {
      const found = await askWhetherMadeHere(file, signal)
      if (!signal.aborted) setAnswer(found)
    } catch (failure) {
      if (!signal.aborted) setError(sentenceOf(failure, m.requestFailed))
    }
  }
  const verify = (file: File): void => {
    running.current?.abort()
    const abort = new AbortController()
    running.current = abort
    setName(file.name)
    setAnswer(null)
    setError(null)
    void ask(file, abort.signal)
  }
  const isLooking = name !== null && answer === null && error === null
  return { name, answer, error, isLooking, verify }
}

/**
 * Sends the file as it is, since its metadata and its pixels are both looked at.
 * Throws ApiError.
 */
function askWhetherMadeHere(file: Blob, signal: AbortSignal): Promise<VerifyAnswer> {
  const body = new FormData()
  body.set('picture', file)
  return call('POST /api/verify', { body, signal })
}
