import type { ModelCard } from './model-card.ts'
import { openSizes, openaiImage2Sizes, openaiSizes } from './shapes.ts'

const common = {
  provider: 'openai',
  takesCount: true,
  // OpenAI's limit is 32,000; servers with a small text encoder cut anything long.
  promptLengthMax: 2_000,
} as const
const gptImage = {
  ...common,
  shape: openaiSizes,
  outputFormat: 'jpeg',
  photosMax: 16,
  licence: 'the vendor’s terms; commercial use',
  needs: 'OPENAI_API_KEY',
  seen: { on: '2026-11-20', source: '@ai-sdk/openai 4.0.118' },
} as const
const open = {
  ...common,
  shape: openSizes,
  fields: { response_format: 'b64_json' },
  photosMax: 2,
} as const
const estimate = (usd: number) => ({ usd, on: '2026-11-20', source: 'our estimate' })

/** Models of OpenAI, and open ones on servers that speak its language. */
export const openaiCards: readonly ModelCard[] = [
  {
    ...gptImage,
    model: 'gpt-image-2',
    shape: openaiImage2Sizes,
    fields: { quality: 'medium' },
    price: { usd: 0.06, on: '2026-11-22', source: 'https://fal.ai/models/openai/gpt-image-2/edit' },
    seen: {
      on: '2026-11-22',
      source: 'https://docs.comfy.org/built-in-nodes/OpenAIGPTImageNodeV2',
    },
  },
  { ...gptImage, model: 'gpt-image-1.5', price: estimate(0.05) },
  { ...gptImage, model: 'gpt-image-1', price: estimate(0.063) },
  { ...gptImage, model: 'gpt-image-1-mini', price: estimate(0.015) },
  {
    ...open,
    model: 'Qwen/Qwen-Image-Edit-2511',
    licence: 'Apache-2.0',
    needs: 'vLLM-Omni or SGLang; a GPU of 80 GB, or some 20 GB in 4 bits',
    seen: { on: '2026-11-20', source: 'README of QwenLM/Qwen-Image' },
  },
]

/** For a model that the list lacks: OpenAI's own take other fields than an open one. */
export function unknownOpenaiCard(model: string): ModelCard {
  if (/^gpt-image|^chatgpt-image/.test(model)) return { ...gptImage, model }
  return { ...open, model, licence: 'see its own', needs: 'a server of yours that has it' }
}
