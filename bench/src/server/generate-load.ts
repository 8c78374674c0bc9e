import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { quantile } from '../page/figures.ts'

export interface LoadResult {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  failures: number
}

export interface LoadOptions {
  connections: number
  seconds: number
  headers?: Record<string, string>
  /** Sent as JSON by POST, one after the other; without any the request is a GET. */
  jsons?: readonly unknown[]
}

/** Repeats a request on kept-alive connections and times it; as little HTTP/1.1 as it takes. */
export async function generateLoad(url: string, options: LoadOptions): Promise<LoadResult> {
  const { hostname, port } = new URL(url)
  const bodies = options.jsons ?? [undefined]
  const requests = bodies.map((json) => writeRequest(new URL(url), json, options.headers))
  let sent = 0
  const times: number[] = []
  let failures = 0
  const endAt = performance.now() + options.seconds * 1_000
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: options.connections }, async () => {
      const socket = await open(hostname, Number(port))
      while (performance.now() < endAt) {
        const sentAt = performance.now()
        socket.write(requests[(sent += 1) % requests.length] ?? '')
        const status = await readAnswer(socket)
        times.push(performance.now() - sentAt)
        if (status !== 200) failures += 1
      }
      socket.destroy()
    }),
  )
  const seconds = (performance.now() - startedAt) / 1_000
  return {
    requestsPerSecond: times.length / seconds,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    failures,
  }
}

function writeRequest(
  { hostname, pathname, search }: URL,
  json: unknown,
  headers: Record<string, string> = {},
): string {
  const body = json === undefined ? '' : JSON.stringify(json)
  const all = {
    host: hostname,
    ...(json === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const method = json === undefined ? 'GET' : 'POST'
  return `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
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
