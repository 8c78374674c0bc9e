import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TracingSettings } from './tracing-settings.ts'

/** A collector that is away costs a batch this long, and never a request. */
const exportTimeoutMs = 5_000
const exportDelayMs = 2_000

/** Sends this process's spans over OTLP/HTTP, in batches; until called, every span is a no-op. */
export function startTracing(
  settings: TracingSettings,
  about: { version: string; role: string },
): { close(): Promise<void> } {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.serviceName,
      'service.version': about.version,
      'starside.role': about.role,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.sampledShare) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: settings.url,
          headers: settings.headers,
          timeoutMillis: exportTimeoutMs,
        }),
        scheduledDelayMillis: exportDelayMs,
      }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  return {
    async close() {
      // What can't be delivered any more must not keep the program from stopping.
      await provider.shutdown().catch(() => undefined)
      trace.disable()
      propagation.disable()
      context.disable()
    },
  }
}
