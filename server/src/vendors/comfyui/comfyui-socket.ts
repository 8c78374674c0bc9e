import { parseJson, readObject } from '../../platform/http/read-object.ts'
import type { RequestListener } from '../hosted-provider.ts'

/** ComfyUI's WebSocket, which says what happens to one client's requests. */
export type ComfySocket = ReturnType<typeof createComfySocket>

/** What is known of a request that is followed. */
interface Followed {
  isWorking: boolean
  /** Steps of its longest node so far: that of sampling, beside which the others take no time. */
  stepsMax: number
  percent: number
}

const messageLengthMax = 1024 * 1024
const percentStep = 5

/**
 * Opens the socket with the first request and closes it after the last. It only brings news sooner:
 * when it can't be opened, or dies, nothing is lost, because requests are polled anyway.
 * @param options.onNews called when a request is first worked on, and when it has ended in any way; with a
 *   percentage when its longest node so far has come that far, in steps of five and never back
 */
export function createComfySocket(options: {
  baseUrl: string
  clientId: string
  onNews: RequestListener
}) {
  const url = new URL(`${options.baseUrl}/ws`)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.searchParams.set('clientId', options.clientId)
  const followed = new Map<string, Followed>()
  let socket: WebSocket | undefined

  function open(): void {
    if (socket !== undefined) return
    const opened = new WebSocket(url)
    socket = opened
    opened.addEventListener('message', ({ data }: MessageEvent<unknown>) => take(data))
    opened.addEventListener('close', () => {
      if (socket === opened) socket = undefined
    })
  }

  function take(data: unknown): void {
    // Previews of the picture come as binary messages.
    if (typeof data !== 'string' || data.length > messageLengthMax) return
    const { type, data: news } = readObject(parseJson(data))
    const { prompt_id: id, node, value, max } = readObject(news)
    const request = typeof id === 'string' ? followed.get(id) : undefined
    if (typeof id !== 'string' || request === undefined) return
    // Said once the history has the request, whichever way it has ended (ComfyUI's main.py).
    const hasEnded = type === 'executing' && node === null
    if (hasEnded || (!request.isWorking && (type === 'progress' || type === 'executing'))) {
      request.isWorking = true
      options.onNews(id)
    }
    if (type === 'progress' && hasAdvanced(request, value, max)) options.onNews(id, request.percent)
    // Whichever node fetches the picture, there is no more news of it.
    if (hasEnded) unfollow(id)
  }

  function unfollow(requestId: string): void {
    followed.delete(requestId)
    if (followed.size === 0) leave()
  }

  /** A request that follows before the old one has closed opens one of its own. */
  function leave(): void {
    socket?.close()
    socket = undefined
  }

  return {
    /** Listens for a request's news, from before it is submitted. */
    follow(requestId: string) {
      followed.set(requestId, { isWorking: false, stepsMax: 0, percent: 0 })
      open()
    },
    /** How far a followed request is known to be, 0…100. */
    percentOf: (requestId: string): number => followed.get(requestId)?.percent ?? 0,
    unfollow,
    close() {
      followed.clear()
      leave()
    },
  }
}

/** Takes a node's steps over; true where they lead at least one percentage step further. */
function hasAdvanced(request: Followed, value: unknown, max: unknown): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(max)) return false
  const [step, steps] = [Number(value), Number(max)]
  if (step < 0 || steps < 1 || step > steps || steps < request.stepsMax) return false
  request.stepsMax = steps
  const percent = Math.floor(((step / steps) * 100) / percentStep) * percentStep
  if (percent <= request.percent) return false
  request.percent = percent
  return true
}
