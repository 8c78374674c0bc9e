import type { ModelCard } from './model-card.ts'
import {
  falGptImage2Sizes,
  falGptImageSizes,
  falSizes,
  kontextRatios,
  ratios,
  seedreamSizes,
} from './shapes.ts'

/** The types of fal's own client, as read for our notes. */
const types = { on: '2026-11-20', source: '@fal-ai/client 1.10.1' }
const page = (path: string) => ({ on: '2026-11-22', source: `https://fal.ai/${path}` })
const price = (usd: number, source = types.source, on = types.on) => ({ usd, on, source })
const estimate = (usd: number) => price(usd, 'our estimate')

const common = {
  provider: 'fal',
  promptLengthMax: 5_000,
  licence: 'the vendor’s terms; commercial use',
  needs: 'FAL_KEY',
} as const

const nanoBanana = {
  ...common,
  shape: ratios,
  outputFormat: 'jpeg',
  photosMax: 10,
  safety: { field: 'safety_tolerance', value: '4' },
  takesCount: true,
  seen: types,
} as const
const seedream = {
  ...common,
  shape: seedreamSizes,
  photosMax: 10,
  safety: { field: 'enable_safety_checker', value: true },
  takesCount: true,
  seen: types,
} as const
const flux2 = {
  ...common,
  shape: falSizes,
  outputFormat: 'jpeg',
  photosMax: 8,
  safety: { field: 'safety_tolerance', value: '2' },
  seen: types,
} as const
const qwen = {
  ...common,
  shape: falSizes,
  outputFormat: 'jpeg',
  photosMax: 3,
  promptLengthMax: 800,
  safety: { field: 'enable_safety_checker', value: true },
  takesCount: true,
  seen: types,
} as const

/** Models of fal. Prices are for planning and the daily cap; settings override them. */
export const falCards: readonly ModelCard[] = [
  {
    ...nanoBanana,
    model: 'google/nano-banana-2.1/edit',
    photosMax: 14,
    price: price(0.04, 'https://fal.ai/learn/tools/nano-banana-api', '2026-11-22'),
    seen: page('learn/tools/nano-banana-api'),
  },
  {
    ...nanoBanana,
    model: 'fal-ai/nano-banana-2-lite/edit',
    price: price(0.0336, 'promptfoo pull request 9923', '2026-11-22'),
    seen: undefined,
  },
  { ...nanoBanana, model: 'fal-ai/nano-banana-2/edit', price: price(0.08) },
  { ...nanoBanana, model: 'fal-ai/nano-banana-pro/edit', price: price(0.15) },
  { ...nanoBanana, model: 'fal-ai/nano-banana/edit', price: price(0.039) },
  { ...nanoBanana, model: 'fal-ai/gemini-25-flash-image/edit', price: price(0.039) },
  {
    ...common,
    model: 'openai/gpt-image-2/edit',
    shape: falGptImage2Sizes,
    outputFormat: 'jpeg',
    photosMax: 10,
    takesCount: true,
    // By default it makes the dearest quality.
    fields: { quality: 'medium' },
    price: price(0.06, 'https://fal.ai/models/openai/gpt-image-2/edit', '2026-11-22'),
    seen: page('models/openai/gpt-image-2/edit/llms.txt'),
  },
  {
    ...common,
    model: 'fal-ai/gpt-image-1.5/edit',
    shape: falGptImageSizes,
    outputFormat: 'jpeg',
    photosMax: 10,
    takesCount: true,
    price: estimate(0.133),
    seen: types,
  },
  {
    ...common,
    model: 'blackforestlabs/flux-3/edit-image',
    shape: ratios,
    photosMax: 10,
    photoPixelsMax: 4_000_000,
    price: price(0.048, 'https://fal.ai/models/blackforestlabs/flux-3/edit-image', '2026-11-22'),
    seen: page('models/blackforestlabs/flux-3/edit-image/llms.txt'),
  },
  { ...flux2, model: 'fal-ai/flux-2-pro/edit', price: price(0.045) },
  { ...flux2, model: 'fal-ai/flux-2-max/edit', price: price(0.07) },
  {
    ...flux2,
    model: 'fal-ai/flux-2/klein/4b/edit',
    photosMax: 4,
    safety: { field: 'enable_safety_checker', value: true },
    price: price(0.014),
  },
  {
    ...flux2,
    model: 'fal-ai/flux-pro/kontext/multi',
    shape: kontextRatios,
    takesCount: true,
    price: estimate(0.04),
  },
  {
    ...seedream,
    model: 'bytedance/seedream/v5.5/edit',
    // One picture and two references.
    price: price(0.036, 'inference.sh', '2026-11-12'),
    seen: page('models/bytedance/seedream/v5.5/edit/api'),
  },
  {
    ...seedream,
    model: 'bytedance/seedream/v5/pro/edit',
    price: price(0.12, 'venice.ai, laozhang.ai', '2026-11-22'),
    seen: undefined,
  },
  { ...seedream, model: 'fal-ai/bytedance/seedream/v5/lite/edit', price: estimate(0.04) },
  { ...seedream, model: 'fal-ai/bytedance/seedream/v4.5/edit', price: estimate(0.04) },
  { ...seedream, model: 'fal-ai/bytedance/seedream/v4/edit', price: estimate(0.03) },
  { ...qwen, model: 'fal-ai/qwen-image-2/edit', price: estimate(0.035) },
  {
    ...qwen,
    model: 'fal-ai/qwen-image-edit-2511',
    promptLengthMax: 2_000,
    price: estimate(0.03),
  },
  {
    ...common,
    model: 'xai/grok-imagine-image/edit',
    photosMax: 3,
    price: estimate(0.02),
    seen: types,
  },
]

/** For a model that the list lacks: prompt and photos only, which every edit model takes. */
export function unknownFalCard(model: string): ModelCard {
  return { ...common, model, photosMax: 2, promptLengthMax: 800, price: estimate(0.15) }
}
