import { act } from '@testing-library/react'
import { onTestFinished, vi } from 'vitest'

/** One question of the page to its server, which waits for the test's answer. */
export interface HeldQuestion {
  method: string
  /** Path and query. */
  address: string
  idempotencyKey: string | null
  body: unknown
  /** Answers with JSON, and lets the page take it in. */
  answer: (json: object, status?: number) => Promise<void>
  /** Lets the line break before anything is answered. */
  fail: () => Promise<void>
}

/**
 * Holds back whatever the page asks by `fetch`, to be answered in any order, twice over or never. The
 * line ignores aborts: what was given up is answered all the same.
 */
export function holdQuestions(): HeldQuestion[] {
  const questions: HeldQuestion[] = []
  vi.stubGlobal('fetch', (address: string, init: RequestInit = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    // All files of a worker share the settings: nobody may wait for an answer that won't come.
    if (address === '/api/config') onTestFinished(() => reject(new TypeError('The test is over')))
    const settle = async (end: () => void): Promise<void> => {
      await act(async () => {
        end()
        await new Promise((done) => {
          setImmediate(done)
        })
      })
    }
    questions.push({
      method: init.method ?? 'GET',
      address,
      idempotencyKey: new Headers(init.headers).get('idempotency-key'),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
      answer: (json, status = 200) => settle(() => resolve(Response.json(json, { status }))),
      fail: () => settle(() => reject(new TypeError('Failed to fetch'))),
    })
    return promise
  })
  return questions
}
