import type { ModelCard } from './model-card.ts'
import { openSizes } from './shapes.ts'

const sdcpp = {
  provider: 'sdcpp',
  shape: openSizes,
  outputFormat: 'jpeg',
  photosMax: 3,
  resizesPhotos: true,
  promptLengthMax: 2_000,
  takesCount: true,
} as const
const localai = {
  provider: 'localai',
  shape: openSizes,
  fields: { response_format: 'b64_json' },
  photosMax: 3,
  resizesPhotos: true,
  promptLengthMax: 2_000,
  takesCount: true,
} as const

const comfyui = {
  provider: 'comfyui',
  shape: openSizes,
  // As many as the graph has nodes for.
  photosMax: 3,
  promptLengthMax: 2_000,
} as const

const server = {
  on: '2026-11-22',
  source: 'leejet/stable-diffusion.cpp 97d29908, examples/server/routes_openai.cpp',
}
const gallery = { on: '2026-11-22', source: 'mudler/LocalAI 82c191afa, gallery/index.yaml' }

const comfyNodes = { on: '2026-11-22', source: 'Comfy-Org/ComfyUI a125cd84, its nodes' }

/** Models on servers of one's own, which cost nothing a picture. */
export const homeCards: readonly ModelCard[] = [
  {
    ...sdcpp,
    model: 'flux-2-klein-4b',
    licence: 'Apache-2.0',
    needs: 'sd-server with the model; 10 GB of GPU memory in 4 bits',
    seen: server,
  },
  {
    ...sdcpp,
    model: 'qwen-image-edit-2511',
    licence: 'Apache-2.0',
    needs: 'sd-server with the model and --model-args qwen_image_zero_cond_t=true',
    seen: server,
  },
  {
    ...localai,
    model: 'flux.2-klein-4b',
    licence: 'Apache-2.0',
    needs: 'LocalAI with this model of its gallery; 10 GB of GPU memory',
    seen: gallery,
  },
  {
    ...localai,
    model: 'qwen-image-edit-2509',
    licence: 'Apache-2.0',
    needs: 'LocalAI with this model of its gallery; some 20 GB of GPU memory',
    seen: gallery,
  },
  {
    ...comfyui,
    model: 'qwen-image-edit-2511',
    licence: 'Apache-2.0',
    needs:
      'ComfyUI with qwen_image_edit_2511_fp8mixed, qwen_2.5_vl_7b_fp8_scaled, qwen_image_vae (.safetensors); 24 GB of GPU memory',
    seen: comfyNodes,
  },
  {
    ...comfyui,
    model: 'flux-2-klein-4b',
    photosMax: 2,
    licence: 'Apache-2.0',
    needs: 'ComfyUI with flux-2-klein-4b, qwen_3_4b, flux2-vae (.safetensors); 13 GB of GPU memory',
    seen: comfyNodes,
  },
]

const own = { licence: 'see its own', needs: 'a server of yours that has it' }

/** sd-server answers to any name, with the model that it was started with. */
export function unknownSdcppCard(model: string): ModelCard {
  return { ...sdcpp, ...own, model }
}

export function unknownLocalaiCard(model: string): ModelCard {
  return { ...localai, ...own, model }
}

/** A graph of the operator's own. */
export function unknownComfyuiCard(model: string): ModelCard {
  return { ...comfyui, ...own, model }
}
