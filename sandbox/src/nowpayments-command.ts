import { parseArgs } from 'node:util'
import { startNowpaymentsGateway } from './nowpayments/gateway.ts'

const usage = `Runs the payment sandbox: a gateway that speaks the NOWPayments protocol with test money.

  node sandbox/src/nowpayments-command.ts [options]

  --port <number>        default 3100; 0 takes any free port
  --host <address>       default 127.0.0.1
  --api-key <text>       default sandbox-key
  --ipn-secret <text>    default sandbox-secret
  --public-url <url>     where browsers reach the pay page
  --data-file <path>     keeps invoices and payments over a restart
  --outcome-coin <code>  the coin the merchant is settled in (default usdcmatic; usdttrc20 has
                         a minimum above the price of the small package)
  --step-delay <ms>      between two statuses of a payment (default 1200)
`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3100' },
    host: { type: 'string', default: '127.0.0.1' },
    'api-key': { type: 'string', default: 'sandbox-key' },
    'ipn-secret': { type: 'string', default: 'sandbox-secret' },
    'public-url': { type: 'string' },
    'data-file': { type: 'string' },
    'outcome-coin': { type: 'string' },
    'step-delay': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  process.stdout.write(usage)
} else {
  const gateway = await startNowpaymentsGateway({
    port: Number(values.port),
    host: values.host,
    apiKey: values['api-key'],
    ipnSecret: values['ipn-secret'],
    ...(values['public-url'] === undefined ? {} : { publicUrl: values['public-url'] }),
    ...(values['data-file'] === undefined ? {} : { dataFile: values['data-file'] }),
    ...(values['outcome-coin'] === undefined ? {} : { outcomeCoin: values['outcome-coin'] }),
    ...(values['step-delay'] === undefined ? {} : { stepDelayMs: Number(values['step-delay']) }),
  })
  process.stdout.write(`Payment sandbox (test money) on ${gateway.url}\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void gateway.close())
}
