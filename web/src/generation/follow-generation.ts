import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { GenerationEvent, GenerationItem } from '@starside/contract/generation.ts'
import { call, send, ApiError, isAbort } from '../api/call.ts'
import { wait } from '../ui/wait.ts'

/** How often the state is asked for where events do not get through. */
const pollIntervalMs = 2_000
/** How many failed requests in a row are taken as 'the server is gone'. */
const failuresMax = 15
/** What the server sends of one event is a few thousand characters. */
const eventCharsMax = 1_000_000
/** It says every 15 s that it is there: after so long a silence the connection is taken for broken. */
const silentMaxMs = 45_000

/** Hears what is being done, and how far that is where it says so. */
export type ProgressListener = (news: Pick<GenerationItem, 'stage' | 'stagePercent'>) => void

/**
 * Follows a running generation to its end, by server-sent events or, where they break, polling while somebody
 * looks; gives the finished item. Calls `onProgress` for stages. Throws {@link ApiError}: unknown or unreachable.
 */
export async function followGeneration(
  generationId: string,
  onProgress: ProgressListener,
  signal: AbortSignal,
): Promise<GenerationItem> {
  const streamed = await followByEvents(generationId, onProgress, signal)
  if (streamed) return streamed
  let failures = 0
  for (;;) {
    // The picture is found when its owner comes back.
    while (document.hidden) await wait(pollIntervalMs, signal)
    try {
      const generation = await fetchItem(generationId, signal)
      failures = 0
      onProgress(generation)
      if (generation.state !== 'running') return generation
    } catch (error) {
      failures += 1
      const lasting = error instanceof ApiError && error.status >= 400 && error.status < 500
      if (isAbort(error) || lasting || failures >= failuresMax) throw error
    }
    await wait(pollIntervalMs, signal)
  }
}

/** The finished item from the event stream, or null when the stream ended or failed before. */
async function followByEvents(
  generationId: string,
  onProgress: ProgressListener,
  signal: AbortSignal,
): Promise<GenerationItem | null> {
  let silence: ReturnType<typeof setTimeout> | undefined
  try {
    const response = await send('GET /api/generations/:generationId/events', {
      params: { generationId },
      headers: { accept: 'text/event-stream' },
      signal,
    })
    if (!response.ok || !response.body) return null
    const hear = (): void => {
      clearTimeout(silence)
      silence = setTimeout(() => void events.cancel().catch(() => undefined), silentMaxMs)
    }
    // `EventSource` cannot carry the bearer header.
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ maxBufferSize: eventCharsMax, onComment: hear }))
      .getReader()
    for (;;) {
      hear()
      const { value, done } = await events.read()
      if (done) return null
      const event = JSON.parse(value.data) as GenerationEvent
      onProgress(event)
      if (event.state === 'running' || !event.generation) continue
      events.cancel().catch(() => undefined)
      return event.generation
    }
  } catch (error) {
    if (signal.aborted || isAbort(error)) throw error
    return null
  } finally {
    clearTimeout(silence)
  }
}

/** One selfie of one's own as the server knows it. Throws `ApiError`. */
export async function fetchItem(generationId: string, signal: AbortSignal) {
  const params = { generationId }
  return (await call('GET /api/generations/:generationId', { params, signal })).generation
}

/** The newest selfie, of an upload whose page was left before the answer: running, or begun since; else null. */
export async function findInterrupted(startedAtMs: number, signal: AbortSignal) {
  const { items } = await call('GET /api/generations', { signal }).catch(() => ({ items: [] }))
  const [newest] = items
  if (!newest || newest.state === 'failed') return null
  return newest.state === 'running' || Date.parse(newest.createdAt) >= startedAtMs ? newest : null
}
