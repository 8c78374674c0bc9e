import { createServer, request as forward, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * What becomes of a request on its way to the program: it gets there; the program behind the proxy
 * is down, so that the proxy answers as proxies do; the line is cut; it stays on its way; or the
 * network wants somebody to sign in first and answers everything with a page of its own.
 */
export type Fate = 'through' | 'upstream down' | 'cut' | 'held' | 'captive portal'

export interface Proxy {
  url: string
  /** Decides each request's fate; `through` at first. */
  decide: (request: { method: string; path: string }) => Fate
  /** Text that comes after the program's answer at one path, as after the next release; null for none. */
  append: { path: string; text: string } | null
  close: () => Promise<void>
}

/** A reverse proxy in front of the program, as most installations have one. */
export async function openProxy(target: string): Promise<Proxy> {
  const proxy: Proxy = { url: '', decide: () => 'through', append: null, close: () => close() }
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const fate = proxy.decide({ method: request.method ?? 'GET', path })
    if (fate === 'held') return
    if (fate === 'cut') return void request.socket.destroy()
    if (fate === 'through') {
      const { method, headers } = request
      // The next release is another file: nobody has it yet.
      if (proxy.append?.path === path) {
        delete headers['if-none-match']
        delete headers['if-modified-since']
      }
      const onward = forward(new URL(path, target), { method, headers }, (answer) => {
        const { append } = proxy
        if (append?.path === path) {
          delete answer.headers['content-length']
          answer.on('end', () => response.end(append.text))
        }
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response, { end: append?.path !== path })
      })
      onward.on('error', () => response.destroy())
      response.on('close', () => onward.destroy())
      request.pipe(onward)
      return
    }
    answerOnlyWhenRead(request, () => {
      response.writeHead(fate === 'captive portal' ? 200 : 502, { 'content-type': 'text/html' })
      response.end(
        fate === 'captive portal' ? '<h1>Welcome to the hotel</h1>' : '<h1>502 Bad Gateway</h1>',
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://localhost:${(server.address() as AddressInfo).port}`
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return proxy
}

/** A browser that is still uploading takes an early answer for a broken line. */
function answerOnlyWhenRead(request: IncomingMessage, answer: () => void): void {
  request.on('end', answer)
  request.resume()
}
