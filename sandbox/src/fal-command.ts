import { startFalSandbox } from './fal/fal-sandbox.ts'
import { runStandIn } from './run-stand-in.ts'

const usage = `Runs a stand-in for fal's queue: the same protocol, no model, no costs.

  node sandbox/src/fal-command.ts [--port 3102] [--host 127.0.0.1] [--api-key sandbox-key]

Point Starside at it with IMAGE_PROVIDERS=fal:fal-ai/nano-banana/edit, FAL_KEY=sandbox-key,
FAL_QUEUE_URL=http://127.0.0.1:3102 and
FAL_KEY_SET_URL=http://127.0.0.1:3102/.well-known/jwks.json.
POST /control/next with {"end": "policy"} (or another behaviour) says how the next request ends.
`

await runStandIn({ name: 'fal’s queue', usage, port: 3102, start: startFalSandbox })
