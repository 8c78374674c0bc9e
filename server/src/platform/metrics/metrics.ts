import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

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
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets: number[],
  ) => new Histogram({ name, help, labelNames, buckets, registers: [registry] })
  return {
    registry,
    requests: histogram(
      'starside_http_request_duration_seconds',
      'Answered HTTP requests by route and status; event streams are left out.',
      ['method', 'route', 'status'],
      [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
    ),
    generations: histogram(
      'starside_generation_duration_seconds',
      'Attempts at a picture by provider and outcome (done, refused, failed, stopped).',
      ['provider', 'outcome'],
      [0.5, 1, 2, 4, 8, 15, 30, 60, 120, 240],
    ),
    stages: histogram(
      'starside_generation_stage_duration_seconds',
      'Time between two stages of a picture.',
      ['stage', 'provider'],
      [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120],
    ),
    photoReadings: histogram(
      'starside_photo_reading_duration_seconds',
      'Uploads decoded and inspected.',
      ['act', 'outcome'],
      [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30],
    ),
    jobs: histogram(
      'starside_job_duration_seconds',
      'Jobs that ran on this node by queue and outcome.',
      ['queue', 'outcome'],
      [0.01, 0.05, 0.25, 1, 4, 15, 60, 240],
    ),
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
