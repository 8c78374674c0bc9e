import type { ComfyuiBehaviour } from './comfyui-behaviour.ts'

export interface ComfyGraph {
  [id: string]: { class_type: string; inputs: Record<string, unknown> }
}

/** Files that the stand-in has, by the input that names them. */
const modelFiles: Readonly<Record<string, readonly string[]>> = {
  unet_name: ['qwen_image_edit_2511_fp8mixed.safetensors', 'flux-2-klein-4b.safetensors'],
  clip_name: ['qwen_2.5_vl_7b_fp8_scaled.safetensors', 'qwen_3_4b.safetensors'],
  vae_name: ['qwen_image_vae.safetensors', 'flux2-vae.safetensors'],
}
/** Nodes that it has, each with its inputs that name files. */
const nodes: Readonly<Record<string, readonly string[]>> = {
  UNETLoader: ['unet_name'],
  CLIPLoader: ['clip_name'],
  VAELoader: ['vae_name'],
  ModelSamplingAuraFlow: [],
  CFGNorm: [],
  LoadImage: [],
  TextEncodeQwenImageEditPlus: [],
  FluxKontextMultiReferenceLatentMethod: [],
  EmptySD3LatentImage: [],
  KSampler: [],
  VAEDecode: [],
  VAEEncode: [],
  PreviewImage: [],
  SaveImage: [],
  CLIPTextEncode: [],
  ImageScaleToTotalPixels: [],
  ReferenceLatent: [],
  ConditioningZeroOut: [],
  CFGGuider: [],
  RandomNoise: [],
  KSamplerSelect: [],
  Flux2Scheduler: [],
  EmptyFlux2LatentImage: [],
  SamplerCustomAdvanced: [],
}

/** What `/object_info/KIND` answers; nothing for a node that isn't there. */
export function nodeInfo(kind: string): object {
  const inputs = nodes[kind]
  if (inputs === undefined) return {}
  const required = Object.fromEntries(inputs.map((name) => [name, [modelFiles[name], {}]]))
  return { [kind]: { input: { required }, output_node: isOutput(kind) } }
}

/** The answer to a graph that can't be run, as `validate_prompt` has it; undefined for one that can. */
export function faultsOf(
  graph: ComfyGraph,
  files: ReadonlyMap<string, Buffer>,
  behaviour: ComfyuiBehaviour,
): object | undefined {
  const unknown = Object.values(graph).find(({ class_type: kind }) => !(kind in nodes))
  if (unknown !== undefined) {
    const message = `Cannot execute because node ${unknown.class_type} does not exist.`
    return {
      error: { type: 'invalid_prompt', message, details: '', extra_info: {} },
      node_errors: {},
    }
  }
  const broken = Object.entries(graph).flatMap(([id, node]) => {
    const details = faultOf(graph, node, files)
    return details === undefined ? [] : [[id, details, node.class_type] as const]
  })
  if (behaviour === 'invalid_graph') broken.push(['1', 'unet_name: not in list', 'UNETLoader'])
  if (broken.length === 0 && outputOf(graph) !== undefined) return undefined
  return {
    error: {
      type: 'prompt_outputs_failed_validation',
      message: 'Prompt outputs failed validation',
      details: '',
      extra_info: {},
    },
    node_errors: Object.fromEntries(
      broken.map(([id, details, kind]) => [
        id,
        { errors: [{ type: 'value_not_in_list', details }], class_type: kind },
      ]),
    ),
  }
}

/** Links must lead to nodes, `LoadImage` to files, and files of models must be there. */
function faultOf(
  graph: ComfyGraph,
  { class_type: kind, inputs }: ComfyGraph[string],
  files: ReadonlyMap<string, Buffer>,
): string | undefined {
  const image = inputs['image']
  if (kind === 'LoadImage' && (typeof image !== 'string' || fileOf(files, image) === undefined)) {
    return `image - Invalid image file: ${String(image)}`
  }
  for (const [name, value] of Object.entries(inputs)) {
    if (Array.isArray(value) && !(String(value[0]) in graph)) return `${name}: no such node`
    const known = modelFiles[name]
    if (known !== undefined && !known.includes(String(value))) return `${name}: not in list`
  }
  return undefined
}

/** Id of the node that puts pictures out. */
export function outputOf(graph: ComfyGraph): string | undefined {
  return Object.keys(graph).find((id) => isOutput(graph[id]?.class_type))
}

function isOutput(kind: string | undefined): boolean {
  return kind === 'PreviewImage' || kind === 'SaveImage'
}

/** A file by its annotated name: `name [temp]`; without a note it lies in the input folder. */
export function fileOf(files: ReadonlyMap<string, Buffer>, name: string): Buffer | undefined {
  const [, bare = name, folder = 'input'] = /^(.*) \[(temp|input|output)\]$/.exec(name) ?? []
  return files.get(`${folder}/${bare}`)
}

/** The photos that a graph loads, in the order of its nodes. */
export function photosOf(graph: ComfyGraph, files: ReadonlyMap<string, Buffer>): Buffer[] {
  return Object.values(graph).flatMap(({ class_type: kind, inputs }) => {
    const photo = kind === 'LoadImage' ? fileOf(files, String(inputs['image'])) : undefined
    return photo === undefined ? [] : [photo]
  })
}
