import type { Engine } from '@starside/engine/engine-calls.ts'
import { createEngineHost } from '@starside/engine/engine-host.ts'
import type { Config } from '../../config.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { observeEngine } from '../../platform/metrics/observe-engine.ts'
import { readProvenanceSettings } from '../../trust/provenance/provenance-settings.ts'
import type { Keys } from '../../platform/secrets/keys.ts'
import { traceEngine } from '../../platform/tracing/trace-engine.ts'

/**
 * The engine in its own process, counted and traced.
 * @param parts.brought takes its place, as in tests
 */
export async function openEngine(
  config: Config,
  parts: { keys: Keys; metrics: Metrics; log: Logger; brought: Engine | undefined },
): Promise<Engine> {
  const { keys, metrics, log, brought } = parts
  const engine =
    brought ??
    observeEngine(
      createEngineHost({
        generationsMax: config.generationsAtOnce,
        provenance: await readProvenanceSettings(config.safety, keys.invisibleMark),
        onCrash: (error) => log.warn({ err: error }, 'the engine was lost and starts anew'),
      }),
      metrics,
    )
  return config.tracing === undefined ? engine : traceEngine(engine)
}
