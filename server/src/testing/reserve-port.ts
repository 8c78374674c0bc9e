import { once } from 'node:events'
import net from 'node:net'

/**
 * A port of this machine on which a program can listen and which the system gives to nobody else until
 * `release`: a connection was opened from it. One that was merely free a moment ago may be another test's
 * by the time a program has started.
 */
export async function reservePort(): Promise<{ port: number; release(): void }> {
  const host = '127.0.0.1'
  const server = net.createServer().listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  const holder = net.connect({ port, host, localAddress: host })
  const [[accepted]] = (await Promise.all([
    once(server, 'connection'),
    once(holder, 'connect'),
  ])) as [[net.Socket], unknown]
  server.close()
  const ends = [holder.unref(), accepted.unref()]
  return {
    port: holder.localPort ?? 0,
    release() {
      for (const end of ends) end.destroy()
    },
  }
}
