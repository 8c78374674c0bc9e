import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface HammerResult {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  failures: number
}

/**
 * Sends one GET over and over on several kept-alive connections and times each answer. It knows of
 * HTTP/1.1 just what that takes (Content-Length, no chunks), so that it costs less than a server.
 */
export async function hammer(
  url: string,
  options: { connections: number; seconds: number; headers?: Record<string, string> },
): Promise<HammerResult> {
  const { hostname, port, pathname, search } = new URL(url)
  const lines = Object.entries(options.headers ?? {}).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const request = `GET ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}\r\n${lines.join('')}\r\n`
  const times: number[] = []
  let failures = 0
  const endAt = performance.now() + options.seconds * 1_000
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: options.connections }, async () => {
      const socket = await open(hostname, Number(port))
      while (performance.now() < endAt) {
        const sentAt = performance.now()
        socket.write(request)
        const status = await readAnswer(socket)
        times.push(performance.now() - sentAt)
        if (status !== 200) failures += 1
      }
      socket.destroy()
    }),
  )
  const seconds = (performance.now() - startedAt) / 1_000
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return {
    requestsPerSecond: times.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    failures,
  }
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Resolves to the status once the whole answer is there. */
function readAnswer(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = ''
    let missing = -1
    const end = (act: () => void) => {
      socket.off('data', take).off('close', lost)
      act()
    }
    const lost = () => end(() => reject(new Error('the connection was closed')))
    const take = (chunk: Buffer) => {
      if (missing >= 0) missing -= chunk.length
      else {
        head += chunk.toString('latin1')
        const headEnd = head.indexOf('\r\n\r\n')
        if (headEnd < 0) return
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
        missing = length - (head.length - headEnd - 4)
      }
      if (missing <= 0) end(() => resolve(Number(head.slice(9, 12))))
    }
    socket.on('data', take).on('close', lost)
  })
}
