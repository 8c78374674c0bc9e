import { createConnection, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** How a line behaves: open, silent, refusing, slow, or breaking off in the middle. */
export type LineState = 'open' | 'silent' | 'refusing' | 'slow' | 'breaking'

export interface TcpProxy {
  port: number
  /** Where new connections lead. */
  setTarget(port: number): void
  /** Breaking and refusing also end the connections that are there. */
  setState(state: LineState): void
  close(): Promise<void>
}

const slowMs = 400
const breakAfterBytes = 20_000

/** A line to a server on this machine, with a fixed port of its own and faults to order. */
export async function openTcpProxy(targetPort: number): Promise<TcpProxy> {
  let target = targetPort
  let state: LineState = 'open'
  const sockets = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer((client) => {
    track(client)
    if (state === 'refusing') return client.destroy()
    const upstream = track(createConnection({ port: target, host: '127.0.0.1' }))
    carry(client, upstream, () => state)
    carry(upstream, client, () => state)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    setTarget(next) {
      target = next
    },
    setState(next) {
      state = next
      if (next === 'refusing') for (const socket of sockets) socket.destroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function carry(from: Socket, to: Socket, stateOf: () => LineState): void {
  let carried = 0
  from.on('data', (chunk) => {
    const state = stateOf()
    carried += chunk.length
    if (state === 'silent') return
    if (state === 'breaking' && carried > breakAfterBytes) {
      from.destroy()
      to.destroy()
    } else if (state === 'slow') {
      from.pause()
      setTimeout(() => {
        to.write(chunk)
        from.resume()
      }, slowMs)
    } else {
      to.write(chunk)
    }
  })
}
