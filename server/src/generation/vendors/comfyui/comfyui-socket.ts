import { readObject } from '../../../http/read-object.ts'

/** ComfyUI's WebSocket, which says what happens to one client's requests. */
export interface ComfySocket {
  /** Listens for a request's news, from before it is submitted. */
  follow(requestId: string): void
  unfollow(requestId: string): void
  close(): void
}

const messageLengthMax = 1024 * 1024

/**
 * Opens the socket with the first request and closes it after the last. It only brings news sooner:
 * when it can't be opened, or dies, nothing is lost, because requests are polled anyway.
 * @param options.onNews called when a request is first worked on, and when it has ended in any way
 */
export function createComfySocket(options: {
  baseUrl: string
  clientId: string
  onNews: (requestId: string) => void
}): ComfySocket {
  const url = new URL(`${options.baseUrl}/ws`)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.searchParams.set('clientId', options.clientId)
  /** Whether each request is worked on, as far as is known. */
  const followed = new Map<string, boolean>()
  let socket: WebSocket | undefined

  function open(): void {
    if (socket !== undefined) return
    const opened = new WebSocket(url)
    socket = opened
    opened.addEventListener('message', ({ data }: MessageEvent<unknown>) => take(data))
    const forget = () => {
      if (socket === opened) socket = undefined
    }
    opened.addEventListener('close', forget)
    opened.addEventListener('error', forget)
  }

  function take(data: unknown): void {
    // Previews of the picture come as binary messages.
    if (typeof data !== 'string' || data.length > messageLengthMax) return
    const { type, data: news } = readMessage(data)
    const { prompt_id: id, node } = readObject(news)
    if (typeof id !== 'string' || !followed.has(id)) return
    // Said once the history has the request, whichever way it has ended (ComfyUI's main.py).
    const hasEnded = type === 'executing' && node === null
    const isWorking = type === 'progress' || type === 'executing'
    if (!hasEnded && (!isWorking || followed.get(id) === true)) return
    followed.set(id, true)
    options.onNews(id)
    // Whichever node fetches the picture, there is no more news of it.
    if (hasEnded) unfollow(id)
  }

  function unfollow(requestId: string): void {
    followed.delete(requestId)
    if (followed.size === 0) socket?.close()
  }

  return {
    follow(requestId) {
      followed.set(requestId, false)
      open()
    },
    unfollow,
    close() {
      followed.clear()
      socket?.close()
    },
  }
}

function readMessage(text: string): Record<string, unknown> {
  try {
    return readObject(JSON.parse(text))
  } catch {
    return {}
  }
}
