import { z } from 'zod'
import { SettingsError } from '../settings/settings-error.ts'

/** Where spans go and how many of them. */
export interface TracingSettings {
  /** The collector's address for traces, OTLP over HTTP. */
  url: string
  /** Sent with each batch, as a key of the collector. Secret. */
  headers: Record<string, string>
  serviceName: string
  /** Share of traces that are kept, 0…1. A caller's own decision goes before it. */
  sampledShare: number
}

/** Variables by their names in the OpenTelemetry specification, so that operators know them. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().trim().optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().trim().optional(),
  OTEL_SERVICE_NAME: z.string().trim().min(1).default('starside'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
}

/** Undefined: nothing is traced. */
export function readTracingSettings(
  env: z.output<z.ZodObject<typeof tracingVariables>>,
): TracingSettings | undefined {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT ?? ''
  if (endpoint === '') return undefined
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new SettingsError(
      `OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address such as http://localhost:4318; it is '${endpoint}'`,
    )
  }
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: readHeaders(env.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
    serviceName: env.OTEL_SERVICE_NAME,
    sampledShare: env.OTEL_TRACES_SAMPLER_ARG,
  }
}

/** `key=value,key=value`, each value percent-encoded where it must be. */
function readHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = '', value = ''] = /^\s*([\w-]+)\s*=(.*)$/.exec(pair) ?? []
      // The text itself stays out of the error: it may be a key.
      if (name === '') {
        throw new SettingsError('OTEL_EXPORTER_OTLP_HEADERS must read name=value,name=value')
      }
      return [name, decode(value.trim())]
    }),
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
