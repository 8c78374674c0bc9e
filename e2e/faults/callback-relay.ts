import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One address for the gateway's callbacks, whichever process answers behind it. */
export interface CallbackRelay {
  url: string
  close(): Promise<void>
}

/** What a reverse proxy is to a payment gateway. A node that doesn't answer is a 502. */
export async function openCallbackRelay(target: () => string): Promise<CallbackRelay> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { 'content-type': type = '', 'x-nowpayments-sig': signature = '' } = request.headers
      fetch(`${target()}${request.url}`, {
        method: 'POST',
        headers: { 'content-type': type, 'x-nowpayments-sig': String(signature) },
        body: Buffer.concat(chunks),
        signal: AbortSignal.timeout(10_000),
      }).then(
        async (answer) => {
          await answer.body?.cancel()
          response.writeHead(answer.status).end()
        },
        () => response.writeHead(502).end(),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
