import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keysOf } from '@starside/contract/keys-of.ts'
import { z } from 'zod'
import { asList, parseJson, readObject } from '../../platform/http/read-object.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'
import { HostedError } from '../hosted-error.ts'
import { callComfy } from './comfyui-calls.ts'
import type { ComfyServer } from './comfyui-calls.ts'

const nodeSchema = z.looseObject({
  class_type: z.string(),
  /** Values, or links to another node's output: `[id, slot]`. */
  inputs: z.record(z.string(), z.unknown()),
  _meta: z.looseObject({ title: z.string().optional() }).optional(),
})
const graphSchema = z.record(z.string(), nodeSchema)

/** A graph of ComfyUI in API form ("Export (API)"): nodes by their ids. */
export type ComfyGraph = z.output<typeof graphSchema>

/** Nodes found by title, and the inputs set: the first that it has, or all of width and height. */
const roles = {
  prompt: { title: 'Starside prompt', inputs: ['prompt', 'text', 'value', 'string'] },
  user: { title: 'Starside user', inputs: ['image'] },
  star: { title: 'Starside star', inputs: ['image'] },
  /** The third photo, of a star or of the background; left out of the graph without one. */
  secondStar: { title: 'Starside second star', inputs: ['image'], isOptional: true },
  /** May stand in several nodes. */
  size: { title: 'Starside size', inputs: ['width', 'height'], isOptional: true, isRepeated: true },
  seed: { title: 'Starside seed', inputs: ['seed', 'noise_seed', 'value'], isOptional: true },
  /** Whose pictures are fetched: a `PreviewImage` or `SaveImage`. */
  result: { title: 'Starside result', inputs: [] },
} as const satisfies Record<
  string,
  { title: string; inputs: readonly string[]; isOptional?: true; isRepeated?: true }
>
type Role = keyof typeof roles

/** A graph that has every node it needs. */
export interface TitledGraph {
  graph: ComfyGraph
  /** Whether it can take a second star. */
  takesSecondStar: boolean
  /** Id of the node whose pictures are the result. */
  resultId: string
}

const shippedFolder = join(import.meta.dirname, '../../../comfyui-graphs')

/** The operator's graph of that name, or ours. Throws `SettingsError` with all that is wrong. */
export function loadGraph(name: string, ownFolder: string | undefined): TitledGraph {
  // A name is a model's, so that slashes are allowed elsewhere.
  if (!/^[\w.-]+$/.test(name)) throw new SettingsError(`comfyui:${name} is no name of a graph`)
  const folders = ownFolder === undefined ? [shippedFolder] : [ownFolder, shippedFolder]
  const file = folders
    .map((folder) => join(folder, `${name}.json`))
    .find((path) => existsSync(path))
  if (file === undefined) {
    throw new SettingsError(`comfyui:${name}: there is no ${name}.json in COMFYUI_GRAPH_FOLDER`)
  }
  const graph = readGraph(readFileSync(file, 'utf8'))
  if (!('faults' in graph)) return graph
  throw new SettingsError(
    [`comfyui:${name}: its graph can’t be used:`, ...graph.faults].join('\n  '),
  )
}

/** Reads a graph in API form: the graph, or everything that is wrong with it, at once. */
export function readGraph(text: string): TitledGraph | { faults: string[] } {
  const graph = graphSchema.safeParse(parseJson(text)).data
  if (graph === undefined) {
    return { faults: ['it is no graph in API form: use "Export (API)" of ComfyUI'] }
  }
  const faults = keysOf(roles).flatMap((role) => checkRole(graph, role))
  const [resultId] = idsOf(graph, 'result')
  if (faults.length > 0 || resultId === undefined) return { faults }
  return { graph, takesSecondStar: idsOf(graph, 'secondStar').length > 0, resultId }
}

function checkRole(graph: ComfyGraph, role: Role): string[] {
  const { title, inputs, ...more } = roles[role]
  const ids = idsOf(graph, role)
  if (ids.length === 0) {
    return 'isOptional' in more ? [] : [`no node has the title '${title}'`]
  }
  if (ids.length > 1 && !('isRepeated' in more))
    return [`${ids.length} nodes have the title '${title}'`]
  return ids
    .filter((id) => inputs.length > 0 && inputsOf(graph[id], role).length === 0)
    .map((id) => `node ${id} '${title}' has none of the inputs ${inputs.join(', ')}`)
}

function idsOf(graph: ComfyGraph, role: Role): string[] {
  const { title } = roles[role]
  return Object.entries(graph).flatMap(([id, { _meta: notes }]) =>
    notes?.title === title ? id : [],
  )
}

/** The inputs of a node that a role may set. */
function inputsOf(node: ComfyGraph[string] | undefined, role: Role): string[] {
  return roles[role].inputs.filter((name) => Object.hasOwn(node?.inputs ?? {}, name))
}

export interface GraphValues {
  prompt: string
  /** Names as `LoadImage` takes them: the user's, then each star's. */
  images: readonly string[]
  size: { widthPx: number; heightPx: number } | undefined
  seed: number
}

/** The graph with a request's values; without a second star its node and links are left out. */
export function fillGraph({ graph }: TitledGraph, values: GraphValues): ComfyGraph {
  const filled = structuredClone(graph)
  const set = (role: Role, value: unknown) => {
    for (const id of idsOf(filled, role)) {
      const [name = ''] = inputsOf(filled[id], role)
      filled[id]!.inputs[name] = value
    }
  }
  const [user, star, secondStar] = values.images
  set('prompt', values.prompt)
  set('user', user)
  set('star', star)
  set('seed', values.seed)
  if (secondStar === undefined) removeNodes(filled, idsOf(filled, 'secondStar'))
  else set('secondStar', secondStar)
  for (const id of values.size === undefined ? [] : idsOf(filled, 'size')) {
    const { inputs } = filled[id]!
    if ('width' in inputs) inputs['width'] = values.size?.widthPx
    if ('height' in inputs) inputs['height'] = values.size?.heightPx
  }
  return filled
}

function removeNodes(graph: ComfyGraph, ids: readonly string[]): void {
  for (const id of ids) delete graph[id]
  for (const node of Object.values(graph)) {
    node.inputs = Object.fromEntries(
      Object.entries(node.inputs).filter(
        // Without the links to them.
        ([, value]) => !Array.isArray(value) || !ids.includes(value[0]),
      ),
    )
  }
}

/** Asks whether ComfyUI has a graph's nodes and files. Throws `HostedError` with all it lacks. */
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
