import type { FastifyInstance } from 'fastify'
import { createNowpaymentsProvider } from '../nowpayments/nowpayments-provider.ts'
import { definePaymentModule } from '../payment-module.ts'

/** Where the gateway for test money lies on this program's own address. */
const path = '/sandbox'

/** Test money: the gateway that comes with the program, through the code that NOWPayments uses. */
export const sandboxModule = definePaymentModule({
  variables: {},
  required: [],
  read: () => async (parts) => {
    const apiKey = parts.keys.paymentSandboxApi.toString('hex')
    const ipnSecret = parts.keys.paymentSandboxIpn.toString('hex')
    // Only loaded when it is needed: an installation with a real provider has no use for it.
    const { openNowpaymentsGateway } = await import('@starside/sandbox/nowpayments/gateway.ts')
    const publicUrl = () => parts.publicUrl + path
    const gateway = openNowpaymentsGateway({ apiKey, ipnSecret, publicUrl })
    const provider = createNowpaymentsProvider({
      name: 'sandbox',
      baseUrl: () => `${parts.localUrl()}${path}/v1`,
      apiKey,
      ipnSecret,
      merchant: { email: 'test', password: 'money' },
      outcomeCoin: undefined,
      callbackUrl: parts.localCallbackUrl,
      fetch: parts.fetch,
      now: parts.now,
    })
    const routes = async (app: FastifyInstance) => {
      await app.register(gateway.routes, { prefix: path })
    }
    return { provider, routes, close: gateway.close }
  },
})
