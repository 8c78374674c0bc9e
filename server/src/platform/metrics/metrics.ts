import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import histograms from './histograms.json' with { type: 'json' }

export type Metrics = ReturnType<typeof createMetrics>

/** What this node counts, with its process's own figures; names and units as Prometheus advises. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const histogram = <Label extends string>(name: keyof typeof histograms): Histogram<Label> =>
    new Histogram({ ...histograms[name], registers: [registry] })
  return {
    registry,
    requests: histogram<'method' | 'route' | 'status'>('requests'),
    generations: histogram<'provider' | 'outcome'>('generations'),
    stages: histogram<'stage' | 'provider'>('stages'),
    photoReadings: histogram<'act' | 'outcome'>('photoReadings'),
    jobs: histogram<'queue' | 'outcome'>('jobs'),
    keptReadings: new Counter({
      name: 'starside_kept_readings_total',
      help: 'Photos that were read (read), or whose reading the engine had kept for its owner (kept).',
      labelNames: ['act', 'result'] as const,
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
