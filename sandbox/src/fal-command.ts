import { parseArgs } from 'node:util'
import { startFalSandbox } from './fal/fal-sandbox.ts'

const usage = `Runs a stand-in for fal's queue: the same protocol, no model, no costs.

  node sandbox/src/fal-command.ts [--port 3102] [--host 127.0.0.1] [--api-key sandbox-key]

Point Starside at it with IMAGE_PROVIDERS=fal:fal-ai/nano-banana/edit, FAL_KEY=sandbox-key,
FAL_QUEUE_URL=http://127.0.0.1:3102 and
FAL_KEY_SET_URL=http://127.0.0.1:3102/.well-known/jwks.json.
POST /control/next with {"end": "policy"} (or another behaviour) says how the next order ends.
`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3102' },
    host: { type: 'string', default: '127.0.0.1' },
    'api-key': { type: 'string', default: 'sandbox-key' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  process.stdout.write(usage)
} else {
  const { host } = values
  const sandbox = await startFalSandbox({
    port: Number(values.port),
    host,
    apiKey: values['api-key'],
  })
  process.stdout.write(`Stand-in for fal’s queue on ${sandbox.url}\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void sandbox.close())
  }
}
