import { useEffect } from 'react'
import type { PrepareInput } from '@starside/contract/generation.ts'
import { call } from '../api/call.ts'
import type { StudioChoices } from './gather-request.ts'
import { preparationOf } from './preparation-of.ts'

/** So long a choice stands before it is taken for what will be asked for. */
const settledMs = 500

/**
 * Tells the server what is chosen once both people are known, so that it can work while the rest is chosen.
 * Without an answer the picture only comes later.
 */
export function usePreparation(choices: StudioChoices): void {
  const input = preparationOf(choices)
  const text = input && JSON.stringify(input)
  useEffect(() => {
    if (text === null) return
    const changed = new AbortController()
    const timer = setTimeout(() => {
      const body = JSON.parse(text) as PrepareInput
      call('POST /api/ai?action=prepare', { body, signal: changed.signal }).catch(() => {})
    }, settledMs)
    return () => {
      clearTimeout(timer)
      changed.abort()
    }
  }, [text])
}
