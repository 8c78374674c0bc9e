import type { Engine, EngineFunction, EngineMethod, EngineMethods } from './engine-calls.ts'

/** How long each call may run in the engine's process, and in which queue it waits. */
export const callSettings: Record<
  EngineMethod,
  { timeLimitMs: number; queue: 'pictures' | 'readings' }
> = {
  normalise: { timeLimitMs: 60_000, queue: 'readings' },
  admit: { timeLimitMs: 60_000, queue: 'readings' },
  inspect: { timeLimitMs: 60_000, queue: 'readings' },
  cropFaces: { timeLimitMs: 60_000, queue: 'readings' },
  makeSelfie: { timeLimitMs: 240_000, queue: 'pictures' },
  makeSheet: { timeLimitMs: 240_000, queue: 'pictures' },
  prepare: { timeLimitMs: 60_000, queue: 'readings' },
  moreVariations: { timeLimitMs: 120_000, queue: 'pictures' },
  renderVariation: { timeLimitMs: 60_000, queue: 'pictures' },
  previewVariation: { timeLimitMs: 30_000, queue: 'readings' },
  developPicture: { timeLimitMs: 60_000, queue: 'pictures' },
  developPreviews: { timeLimitMs: 60_000, queue: 'pictures' },
  finishProviderPicture: { timeLimitMs: 120_000, queue: 'pictures' },
  makePresetFiles: { timeLimitMs: 120_000, queue: 'pictures' },
  fitPhoto: { timeLimitMs: 60_000, queue: 'readings' },
  toPng: { timeLimitMs: 60_000, queue: 'readings' },
  sign: { timeLimitMs: 60_000, queue: 'readings' },
  makeLogo: { timeLimitMs: 60_000, queue: 'readings' },
  forgetPhotos: { timeLimitMs: 60_000, queue: 'readings' },
  examine: { timeLimitMs: 60_000, queue: 'readings' },
}

/** Makes the methods of an engine by one rule. */
export function mapMethods(
  make: <Method extends EngineMethod>(method: Method) => EngineFunction<Method>,
): EngineMethods {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a closed record
  const methods = Object.keys(callSettings) as EngineMethod[]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each method
  return Object.fromEntries(methods.map((method) => [method, make(method)])) as EngineMethods
}

/** The same engine, whose calls end by this signal where they name none of their own. */
export function engineWithin(engine: Engine, signal: AbortSignal): Engine {
  const methods: EngineMethods = engine
  const within = mapMethods(
    (method) => (input, options) => methods[method](input, { signal, ...options }),
  )
  return { ...engine, ...within }
}
