import { fileURLToPath } from 'node:url'
import { startChild } from './start-child.ts'
import { openBenchEnvironment } from './bench-environment.ts'
import type { BenchEnvironment } from './bench-environment.ts'

const apiKey = 'bench-key'

/** An environment whose pictures come from a stand-in of a hosted model, in a process of its own. */
export async function openHostedEnvironment(): Promise<BenchEnvironment> {
  const file = fileURLToPath(new URL('hosted-model.ts', import.meta.url))
  const model = await startChild({
    command: process.execPath,
    args: () => [file],
    env: (port) => ({ ...process.env, PORT: String(port), FAL_KEY: apiKey }),
    path: '/.well-known/jwks.json',
  })
  try {
    const environment = await openBenchEnvironment({
      ROLE: 'all',
      IMAGE_PROVIDERS: 'fal:google/nano-banana-2.1/edit',
      IMAGE_AT_ONCE: '16',
      IMAGE_DAILY_SPEND_MAX_USD: '100000',
      IMAGE_POLL_INTERVAL_MS: '500',
      IMAGE_WEBHOOK_URL: 'none',
      FAL_KEY: apiKey,
      FAL_QUEUE_URL: model.url,
      FAL_KEY_SET_URL: `${model.url}/.well-known/jwks.json`,
    })
    return {
      ...environment,
      async [Symbol.asyncDispose]() {
        await environment[Symbol.asyncDispose]()
        await model.stop()
      },
    }
  } catch (error) {
    await model.stop()
    throw error
  }
}
