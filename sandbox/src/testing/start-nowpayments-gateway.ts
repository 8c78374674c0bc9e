import fastify from 'fastify'
import { openNowpaymentsGateway } from '../nowpayments/gateway.ts'
import type { Gateway, GatewayOptions } from '../nowpayments/gateway.ts'

/** The gateway at an address of its own. */
export interface RunningGateway extends Pick<Gateway, 'cancelInvoice' | 'close' | 'whenQuiet'> {
  /** Without a slash at the end. */
  url: string
}

/** Starts the gateway on a free port of this machine, as a provider that isn't ours would be. */
export async function startNowpaymentsGateway(
  options: Partial<Omit<GatewayOptions, 'publicUrl'>> = {},
): Promise<RunningGateway> {
  let url = ''
  const gateway = openNowpaymentsGateway({
    apiKey: 'key',
    ipnSecret: 'secret',
    ...options,
    publicUrl: () => url,
  })
  const app = fastify({ forceCloseConnections: true })
  await app.register(gateway.routes)
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    cancelInvoice: gateway.cancelInvoice,
    whenQuiet: gateway.whenQuiet,
    async close() {
      await gateway.close()
      await app.close()
    },
  }
}
