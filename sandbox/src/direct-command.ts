import { startDirectSandbox } from './direct/direct-sandbox.ts'
import { dialects } from './direct/dialects.ts'
import type { DialectName } from './direct/dialects.ts'
import { runStandIn } from './run-stand-in.ts'

const usage = `Runs a stand-in for a service that answers with the picture: the same protocol, no model,
no costs.

  node sandbox/src/direct-command.ts [--dialect openai] [--port 3103] [--host 127.0.0.1]
    [--api-key sandbox-key]

Dialects and what points Starside at them:
  openai   IMAGE_PROVIDERS=openai:any-model OPENAI_API_KEY=sandbox-key OPENAI_BASE_URL=http://127.0.0.1:3103/v1
  sdcpp    IMAGE_PROVIDERS=sdcpp:any-model SDCPP_BASE_URL=http://127.0.0.1:3103/v1
  localai  IMAGE_PROVIDERS=localai:any-model LOCALAI_API_KEY=sandbox-key LOCALAI_BASE_URL=http://127.0.0.1:3103/v1
  google   IMAGE_PROVIDERS=google:any-model GOOGLE_API_KEY=sandbox-key GOOGLE_BASE_URL=http://127.0.0.1:3103/v1beta
POST /control/next with "refusal" (or another behaviour) says how the next call ends.
`

await runStandIn({
  name: 'an image service',
  usage,
  port: 3103,
  start: async ({ dialect = 'openai', ...place }) => {
    if (!isDialect(dialect)) throw new TypeError(`one of ${Object.keys(dialects).join(', ')}`)
    return await startDirectSandbox({ ...place, dialect })
  },
})

function isDialect(name: string): name is DialectName {
  return Object.hasOwn(dialects, name)
}
