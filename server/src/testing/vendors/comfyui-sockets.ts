import { createHash } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** The WebSockets of a server (RFC 6455), as far as ComfyUI uses them: texts from it, to one client. */
export interface Sockets {
  send(clientId: string, type: string, data: object): void
  /** Ends a client's connection without a word. */
  drop(clientId: string): void
  count(): number
  close(): void
}

const handshakeText = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** Serves `/ws?clientId=…`. */
export function serveSockets(server: Server): Sockets {
  const sockets = new Map<string, Duplex>()
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    const key = String(request.headers['sec-websocket-key'])
    if (url.pathname !== '/ws') return void socket.destroy()
    const accept = createHash('sha1').update(`${key}${handshakeText}`).digest('base64')
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    const clientId = url.searchParams.get('clientId') ?? ''
    sockets.set(clientId, socket)
    const forget = () => {
      if (sockets.get(clientId) === socket) sockets.delete(clientId)
    }
    socket.on('close', forget).on('error', forget)
    // Whatever the client says is a close frame or nothing.
    socket.on('data', () => socket.end())
    socket.write(textFrame({ type: 'status', data: { status: {}, sid: clientId } }))
    // A preview, which comes as a binary frame.
    socket.write(Buffer.concat([Buffer.from([0x82, 4]), Buffer.from([0, 0, 0, 1])]))
  })
  return {
    send(clientId, type, data) {
      sockets.get(clientId)?.write(textFrame({ type, data }))
    },
    drop: (clientId) => void sockets.get(clientId)?.destroy(),
    count: () => sockets.size,
    close() {
      for (const socket of sockets.values()) socket.destroy()
    },
  }
}

/** One unmasked text frame. */
function textFrame(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message))
  if (text.length < 126) return Buffer.concat([Buffer.from([0x81, text.length]), text])
  const head = Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0, 0, 0])
  head.writeUInt32BE(text.length, 6)
  return Buffer.concat([head, text])
}
