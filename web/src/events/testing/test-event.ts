import { act } from '@testing-library/react'
import { vi } from 'vitest'
import type { EventItem, GuestSelfie } from '@starside/contract/events.ts'
import { testSelfie } from '../../generation/testing/test-selfie.ts'
import { testStar } from '../../generation/testing/test-star.ts'

/** An event that takes guests, for tests. */
export const testEvent: EventItem = {
  name: 'gala',
  title: 'Museum night',
  state: 'running',
  startsAt: '2026-11-22T12:00:00Z',
  endsAt: '2026-11-23T12:00:00Z',
  deletedAt: '2026-11-30T12:00:00Z',
  languages: ['en'],
  consent: { version: '1', words: { en: 'A picture of you is made.' } },
  stars: [testStar(), testStar({ id: 'bo-west', name: 'Bo West' })],
  scenes: ['own', 'stage'],
  backgroundUrl: null,
  selfiesPerGuest: 3,
  printFormats: ['10x15', 'strip', 'square'],
  hasWall: true,
  hasCredits: true,
  isQueueFull: false,
  joinUrl: 'https://photos.example.org/e/gala',
}

/** A selfie whose guest has asked for nothing, for tests. */
export const testGuestSelfie: GuestSelfie = { generation: testSelfie, wall: 'private', prints: [] }

/** One call to the server: method and path, and what was sent. */
export interface Asked {
  what: string
  body: unknown
  headers: Headers
}

type Answer = object | (() => object | Promise<object>)

/**
 * Answers calls by method and the end of their path, as `GET wall`, with the query or without it; `Error` breaks the line, an
 * `error` answers 403 with that code. Lists what was asked, the settings aside.
 */
export function answerCalls(answers: Record<string, Answer>): Asked[] {
  const asked: Asked[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const { pathname: path, search } = new URL(address, 'http://host')
    const what = `${init.method ?? 'GET'} ${path.split('/').at(-1)}`
    if (path === '/api/config') throw new TypeError('There are no settings here')
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : init.body
    asked.push({ what, body, headers: new Headers(init.headers) })
    const given = answers[what + search] ?? answers[what]
    const answer = typeof given === 'function' ? await given() : given
    if (answer === undefined || answer instanceof Error) throw new TypeError('Failed to fetch')
    if ('code' in answer && !('url' in answer))
      return Response.json({ success: false, error: 'No', ...answer }, { status: 403 })
    return Response.json({ success: true, ...answer })
  })
  return asked
}

/** Lets time pass on the test's clock, and what was waiting for it happen. */
export const pass = (ms: number): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms)
  })
