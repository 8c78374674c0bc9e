import { startOpenaiSandbox } from './openai/openai-sandbox.ts'
import { runStandIn } from './run-stand-in.ts'

const usage = `Runs a stand-in for OpenAI's images/edits endpoint: the same protocol, no model, no costs.

  node sandbox/src/openai-command.ts [--port 3103] [--host 127.0.0.1] [--api-key sandbox-key]

Point Starside at it with IMAGE_PROVIDERS=openai:any-model, OPENAI_API_KEY=sandbox-key and
OPENAI_BASE_URL=http://127.0.0.1:3103/v1. POST /control/next with "refusal" (or another
behaviour) says how the next call ends.
`

await runStandIn({
  name: 'an OpenAI images endpoint',
  usage,
  port: 3103,
  start: startOpenaiSandbox,
})
