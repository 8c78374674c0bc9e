import type { Engine, SelfieRequest } from '@starside/engine/engine.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import type { Metrics } from './metrics.ts'

/** The engine, with the time and outcome of every call counted. */
export function observeEngine(
  engine: Engine,
  metrics: Metrics,
  now: () => number = () => performance.now(),
): Engine {
  async function read<Result>(act: string, call: Promise<Result>): Promise<Result> {
    const startedAt = now()
    const count = (outcome: string) =>
      metrics.photoReadings.observe({ act, outcome }, secondsSince(startedAt))
    return observeEnd(call, count)
  }
  const secondsSince = (startedAt: number) => (now() - startedAt) / 1_000

  return {
    ...engine,
    normalise: (upload, options) => read('normalise', engine.normalise(upload, options)),
    inspect: (photo, options) => read('inspect', engine.inspect(photo, options)),
    toPng: (jpeg) => read('to-png', engine.toPng(jpeg)),
    async makeSelfie(request) {
      const startedAt = now()
      const stages = timeStages(request, now)
      let provider = 'unknown'
      const work = engine.makeSelfie({ ...request, onStage: stages.onStage })
      const selfie = work.then((made) => {
        provider = made.provider
        for (const { stage, ms } of stages.end()) {
          metrics.stages.observe({ stage, provider }, ms / 1_000)
        }
        return made
      })
      return observeEnd(selfie, (outcome) => {
        const isStopped = outcome === 'failed' && request.signal?.aborted === true
        metrics.generations.observe(
          { provider, outcome: isStopped ? 'stopped' : outcome },
          secondsSince(startedAt),
        )
      })
    },
  }
}

async function observeEnd<Result>(
  call: Promise<Result>,
  count: (outcome: 'done' | 'refused' | 'failed') => void,
): Promise<Result> {
  try {
    const result = await call
    count('done')
    return result
  } catch (error) {
    count(error instanceof PhotoError ? 'refused' : 'failed')
    throw error
  }
}

/** Passes stages on and remembers how long each one took. */
function timeStages({ onStage }: SelfieRequest, now: () => number) {
  const done: { stage: string; ms: number }[] = []
  let current: { stage: string; since: number } | undefined
  const finish = () => {
    if (current !== undefined) done.push({ stage: current.stage, ms: now() - current.since })
  }
  const tell: NonNullable<SelfieRequest['onStage']> = (stage) => {
    finish()
    current = { stage, since: now() }
    onStage?.(stage)
  }
  return {
    onStage: tell,
    end() {
      finish()
      current = undefined
      return done
    },
  }
}
