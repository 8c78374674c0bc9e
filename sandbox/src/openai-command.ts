import { parseArgs } from 'node:util'
import { startOpenaiSandbox } from './openai/openai-sandbox.ts'

const usage = `Runs a stand-in for OpenAI's images/edits endpoint: the same protocol, no model, no costs.

  node sandbox/src/openai-command.ts [--port 3103] [--host 127.0.0.1] [--api-key sandbox-key]

Point Starside at it with IMAGE_PROVIDERS=openai:any-model, OPENAI_API_KEY=sandbox-key and
OPENAI_BASE_URL=http://127.0.0.1:3103/v1. POST /control/next with "refusal" (or another
behaviour) says how the next call ends.
`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3103' },
    host: { type: 'string', default: '127.0.0.1' },
    'api-key': { type: 'string', default: 'sandbox-key' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  process.stdout.write(usage)
} else {
  const { host } = values
  const sandbox = await startOpenaiSandbox({
    port: Number(values.port),
    host,
    apiKey: values['api-key'],
  })
  process.stdout.write(`Stand-in for an OpenAI images endpoint on ${sandbox.url}\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void sandbox.close())
  }
}
