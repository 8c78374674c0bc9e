import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import histograms from './histograms.json' with { type: 'json' }

/** What this node counts of itself; names and units as Prometheus recommends. */
export interface Metrics {
  registry: Registry
  requests: Histogram<'method' | 'route' | 'status'>
  generations: Histogram<'provider' | 'outcome'>
  stages: Histogram<'stage' | 'provider'>
  photoReadings: Histogram<'act' | 'outcome'>
  jobs: Histogram<'queue' | 'outcome'>
  keptReadings: Counter<'act' | 'result'>
}

/** One registry with the process's own figures (CPU, memory, event loop lag, GC) and ours. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const histogram = <Label extends string>(name: keyof typeof histograms): Histogram<Label> =>
    new Histogram({ ...histograms[name], registers: [registry] })
  return {
    registry,
    requests: histogram('requests'),
    generations: histogram('generations'),
    stages: histogram('stages'),
    photoReadings: histogram('photoReadings'),
    jobs: histogram('jobs'),
    keptReadings: new Counter({
      name: 'starside_kept_readings_total',
      help: 'Photos that were read (read), or whose reading the engine had kept for its owner (kept).',
      labelNames: ['act', 'result'],
      registers: [registry],
    }),
  }
}

/** Names a family of counters whose totals somebody else keeps; set at each reading. */
export function totalsOf(registry: Registry, name: string, help: string, labelNames: string[]) {
  const counter = new Counter({ name, help, labelNames, registers: [registry] })
  return {
    set(rows: { labels: Record<string, string>; value: number }[]) {
      counter.reset()
      for (const { labels, value } of rows) counter.inc(labels, value)
    },
  }
}
