import { fileURLToPath } from 'node:url'
import { startChild } from './start-child.ts'
import { openWorld } from './world.ts'
import type { World } from './world.ts'

const apiKey = 'bench-key'

/** A world whose pictures come from a stand-in of a hosted model, in a process of its own. */
export async function openHostedWorld(settings: Record<string, string> = {}): Promise<World> {
  const file = fileURLToPath(import.meta.resolve('@starside/sandbox/fal-command.ts'))
  const model = await startChild({
    command: process.execPath,
    args: (port) => [file, '--port', String(port), '--api-key', apiKey],
    env: () => process.env,
    path: '/.well-known/jwks.json',
  })
  try {
    const world = await openWorld({
      ROLE: 'all',
      IMAGE_PROVIDERS: 'fal:fal-ai/nano-banana/edit',
      IMAGE_AT_ONCE: '16',
      IMAGE_DAILY_SPEND_MAX_USD: '100000',
      IMAGE_POLL_INTERVAL_MS: '500',
      IMAGE_WEBHOOK_URL: 'none',
      FAL_KEY: apiKey,
      FAL_QUEUE_URL: model.url,
      FAL_KEY_SET_URL: `${model.url}/.well-known/jwks.json`,
      ...settings,
    })
    return {
      ...world,
      async close() {
        await world.close()
        await model.stop()
      },
    }
  } catch (error) {
    await model.stop()
    throw error
  }
}
