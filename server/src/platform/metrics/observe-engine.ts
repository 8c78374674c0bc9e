import { mapMethods } from '@starside/engine/call-settings.ts'
import type {
  CallOptions,
  Engine,
  EngineMethods,
  EngineStage,
} from '@starside/engine/engine-calls.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import type { Metrics } from './metrics.ts'

/** The engine, with the time and outcome of every call counted. */
export function observeEngine(
  engine: Engine,
  metrics: Metrics,
  now: () => number = () => performance.now(),
): Engine {
  const secondsSince = (startedAt: number) => (now() - startedAt) / 1_000

  const methods: EngineMethods = engine
  const observed = mapMethods((method) => async (input, options) => {
    const startedAt = now()
    return observeEnd(methods[method](input, options), (outcome) =>
      metrics.photoReadings.observe({ act: method, outcome }, secondsSince(startedAt)),
    )
  })

  /** A call that makes a picture: its stages are timed too. */
  const observeMaking =
    <Input, Output>(
      make: (input: Input, options: CallOptions) => Promise<Output>,
      providerOf: (output: Output) => string,
    ) =>
    async (input: Input, options: CallOptions = {}): Promise<Output> => {
      const startedAt = now()
      const stages = timeStages(options.onStage, now)
      let provider = 'unknown'
      const work = make(input, { ...options, onStage: stages.onStage }).then((made) => {
        provider = providerOf(made)
        for (const { stage, ms } of stages.end()) {
          metrics.stages.observe({ stage, provider }, ms / 1_000)
        }
        return made
      })
      return observeEnd(work, (outcome) => {
        const isStopped = outcome === 'failed' && options.signal?.aborted === true
        metrics.generations.observe(
          { provider, outcome: isStopped ? 'stopped' : outcome },
          secondsSince(startedAt),
        )
      })
    }
  const makeSelfie: EngineMethods['makeSelfie'] = observeMaking(
    (input, options) => engine.makeSelfie(input, options),
    ({ provider }) => provider,
  )
  const countKept = (act: 'admit' | 'makeSheet', photos: number, kept: number) => {
    metrics.keptReadings.inc({ act, result: 'kept' }, kept)
    metrics.keptReadings.inc({ act, result: 'read' }, photos - kept)
  }
  const admit: EngineMethods['admit'] = async (input, options) => {
    const admitted = await observed.admit(input, options)
    countKept('admit', 1, admitted.wasKept ? 1 : 0)
    return admitted
  }
  const makeSheet: EngineMethods['makeSheet'] = observeMaking(
    async (input, options) => {
      const sheet = await engine.makeSheet(input, options)
      countKept('makeSheet', 1 + input.stars.length, sheet.keptCount ?? 0)
      return sheet
    },
    ({ best }) => best.provider,
  )

  const { finishProviderPicture } = engine
  return { ...engine, ...observed, admit, makeSelfie, makeSheet, finishProviderPicture }
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
function timeStages(onStage: CallOptions['onStage'], now: () => number) {
  const done: { stage: EngineStage; ms: number }[] = []
  let current: { stage: EngineStage; since: number } | undefined
  const finish = () => {
    if (current !== undefined) done.push({ stage: current.stage, ms: now() - current.since })
  }
  return {
    onStage(stage: EngineStage) {
      finish()
      current = { stage, since: now() }
      onStage?.(stage)
    },
    end() {
      finish()
      current = undefined
      return done
    },
  }
}
