import { join } from 'node:path'
import { z } from 'zod'
import { optionalUrl, trimSlash } from '../../settings/fields.ts'
import { createNowpaymentsProvider } from '../nowpayments/nowpayments-provider.ts'
import { definePaymentModule } from '../payment-module.ts'

/** Test money: the gateway that comes with the program, through the code that NOWPayments uses. */
export const sandboxModule = definePaymentModule({
  variables: {
    PAYMENT_SANDBOX_PORT: z.coerce
      .number()
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .meta({ description: 'Port of the gateway for test money; by default PORT + 1.' }),
    PAYMENT_SANDBOX_PUBLIC_URL: optionalUrl.meta({
      description: 'Where people reach that gateway.',
    }),
  },
  required: [],
  read: (variables, program) => async (parts) => {
    const apiKey = parts.keys.paymentSandboxApi.toString('hex')
    const ipnSecret = parts.keys.paymentSandboxIpn.toString('hex')
    // Only loaded when it is needed: an installation with a real provider has no use for it.
    const { startSandboxGateway } = await import('./start-sandbox-gateway.ts')
    const gateway = await startSandboxGateway({
      port: variables.PAYMENT_SANDBOX_PORT ?? (program.port === 0 ? 0 : program.port + 1),
      publicUrl: trimSlash(variables.PAYMENT_SANDBOX_PUBLIC_URL),
      appUrl: parts.publicUrl,
      host: parts.listenAddress,
      apiKey,
      ipnSecret,
      dataFile: join(parts.dataFolder, 'payment-sandbox.jsonl'),
      startsGateway: parts.startsGateway,
    })
    const provider = createNowpaymentsProvider({
      name: 'sandbox',
      baseUrl: `${gateway.url}/v1`,
      apiKey,
      ipnSecret,
      merchant: gateway.merchant,
      outcomeCoin: undefined,
      callbackUrl: parts.localCallbackUrl,
      fetch: parts.fetch,
      now: parts.now,
    })
    return { provider, close: gateway.close }
  },
})
