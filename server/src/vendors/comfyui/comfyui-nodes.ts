import { asList } from './as-list.ts'
import { readObject } from '../../platform/http/read-object.ts'
import { HostedError } from '../hosted-error.ts'
import { callComfy } from './comfyui-calls.ts'
import type { ComfyServer } from './comfyui-calls.ts'
import type { ComfyGraph } from './comfyui-graph.ts'

/**
 * Asks ComfyUI whether it has every node of a graph, and every file that they name. Throws
 * `HostedError` with all that is missing.
 */
export async function checkNodes(
  server: ComfyServer,
  graph: ComfyGraph,
  signal: AbortSignal,
): Promise<void> {
  const missing = new Set<string>()
  for (const { class_type: kind, inputs } of Object.values(graph)) {
    const path = `/object_info/${encodeURIComponent(kind)}`
    const info = readObject(await callComfy(server, path, { signal }))[kind]
    if (info === undefined) missing.add(`the node ${kind}`)
    for (const [name, value] of Object.entries(inputs)) {
      const choices = choicesOf(info, name)
      // Photos are uploaded with each request.
      if (kind === 'LoadImage' || choices === undefined || typeof value !== 'string') continue
      if (!choices.includes(value)) missing.add(`${value} for ${name} of ${kind}`)
    }
  }
  if (missing.size === 0) return
  throw new HostedError('provider_down', `ComfyUI lacks ${[...missing].join(', ')}`)
}

/** What an input may be: `[[…], {}]`, or `['COMBO', {options: […]}]`; undefined for other kinds. */
function choicesOf(info: unknown, name: string): unknown[] | undefined {
  const { required, optional } = readObject(readObject(info)['input'])
  const input = readObject(required)[name] ?? readObject(optional)[name]
  const [kind, more] = asList(input)
  if (Array.isArray(kind)) return kind
  const { options } = readObject(more)
  return kind === 'COMBO' && Array.isArray(options) ? options : undefined
}
