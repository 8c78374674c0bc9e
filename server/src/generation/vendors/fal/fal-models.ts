import type { Aspect } from '@starside/engine/image-provider.ts'

/** What one model of fal takes besides prompt and photos, so that no unknown field is sent. */
export interface FalModel {
  /** How the picture's shape is asked for, each of our aspects in the model's own words. */
  shape: { field: 'aspect_ratio' | 'image_size'; values: Record<Aspect, ShapeValue> } | undefined
  /** The output formats it can be asked for; JPEG is, where it may be. Undefined: no such field. */
  outputFormats: readonly ('jpeg' | 'png' | 'webp')[] | undefined
  /** Photos at most. */
  imagesMax: number
  /** Characters of the prompt at most. */
  promptLengthMax: number
  /** The field of its safety filter with the vendor's own default, which we keep. */
  safety:
    | { field: 'safety_tolerance'; value: string }
    | { field: 'enable_safety_checker' }
    | undefined
  /** Whether it takes `num_images`. */
  takesCount: boolean
  /** Millionths of a US dollar for one picture at about one megapixel; vendors change it. */
  priceMicroUsd: number
}

type ShapeValue = string | { width: number; height: number }

const ratios: FalModel['shape'] = {
  field: 'aspect_ratio',
  values: { '4:5': '4:5', '1:1': '1:1', '16:9': '16:9', '9:16': '9:16' },
}
/** fal's named sizes; 4:5 has none, so it is given in pixels. */
const sizes: FalModel['shape'] = {
  field: 'image_size',
  values: {
    '4:5': { width: 1024, height: 1280 },
    '1:1': 'square_hd',
    '16:9': 'landscape_16_9',
    '9:16': 'portrait_16_9',
  },
}
/** Seedream takes 1920 to 4096 pixels a side. */
const seedreamSizes: FalModel['shape'] = {
  field: 'image_size',
  values: {
    '4:5': { width: 1920, height: 2400 },
    '1:1': { width: 2048, height: 2048 },
    '16:9': { width: 3413, height: 1920 },
    '9:16': { width: 1920, height: 3413 },
  },
}
const gptSizes: FalModel['shape'] = {
  field: 'image_size',
  values: { '4:5': '1024x1536', '1:1': '1024x1024', '16:9': '1536x1024', '9:16': '1024x1536' },
}

const nanoBanana: FalModel = {
  shape: ratios,
  outputFormats: ['jpeg', 'png', 'webp'],
  imagesMax: 10,
  promptLengthMax: 5_000,
  safety: { field: 'safety_tolerance', value: '4' },
  takesCount: true,
  priceMicroUsd: 39_000,
}
const seedream: FalModel = {
  shape: seedreamSizes,
  outputFormats: undefined,
  imagesMax: 10,
  promptLengthMax: 5_000,
  safety: { field: 'enable_safety_checker' },
  takesCount: true,
  priceMicroUsd: 40_000,
}
const flux2: FalModel = {
  shape: sizes,
  outputFormats: ['jpeg', 'png'],
  imagesMax: 8,
  promptLengthMax: 5_000,
  safety: { field: 'safety_tolerance', value: '2' },
  takesCount: false,
  priceMicroUsd: 45_000,
}
const qwen: FalModel = {
  shape: sizes,
  outputFormats: ['jpeg', 'png', 'webp'],
  imagesMax: 3,
  promptLengthMax: 800,
  safety: { field: 'enable_safety_checker' },
  takesCount: true,
  priceMicroUsd: 35_000,
}

/**
 * The models whose fields are known, by endpoint id (types of @fal-ai/client 1.10.1 and fal's model
 * pages). Prices are for planning and the daily cap; settings override them.
 */
export const falModels: Readonly<Record<string, FalModel>> = {
  'fal-ai/nano-banana/edit': nanoBanana,
  'fal-ai/gemini-25-flash-image/edit': nanoBanana,
  'fal-ai/nano-banana-2/edit': { ...nanoBanana, priceMicroUsd: 80_000 },
  'fal-ai/nano-banana-pro/edit': { ...nanoBanana, priceMicroUsd: 150_000 },
  'fal-ai/bytedance/seedream/v4/edit': { ...seedream, priceMicroUsd: 30_000 },
  'fal-ai/bytedance/seedream/v4.5/edit': seedream,
  'fal-ai/bytedance/seedream/v5/lite/edit': seedream,
  'fal-ai/flux-2-pro/edit': flux2,
  'fal-ai/flux-2-max/edit': { ...flux2, priceMicroUsd: 70_000 },
  'fal-ai/flux-2/klein/4b/edit': {
    ...flux2,
    imagesMax: 4,
    safety: { field: 'enable_safety_checker' },
    priceMicroUsd: 14_000,
  },
  'fal-ai/flux-pro/kontext/multi': {
    ...flux2,
    shape: {
      field: 'aspect_ratio',
      values: { '4:5': '3:4', '1:1': '1:1', '16:9': '16:9', '9:16': '9:16' },
    },
    takesCount: true,
    priceMicroUsd: 40_000,
  },
  'fal-ai/qwen-image-2/edit': qwen,
  'fal-ai/qwen-image-edit-2511': { ...qwen, promptLengthMax: 2_000, priceMicroUsd: 30_000 },
  'fal-ai/gpt-image-1.5/edit': {
    shape: gptSizes,
    outputFormats: ['jpeg', 'png', 'webp'],
    imagesMax: 10,
    promptLengthMax: 5_000,
    safety: undefined,
    takesCount: true,
    priceMicroUsd: 133_000,
  },
  'xai/grok-imagine-image/edit': {
    shape: undefined,
    outputFormats: undefined,
    imagesMax: 3,
    promptLengthMax: 5_000,
    safety: undefined,
    takesCount: false,
    priceMicroUsd: 20_000,
  },
}

/** For an endpoint that the table lacks: prompt and photos only, which every edit model takes. */
export const unknownFalModel: FalModel = {
  shape: undefined,
  outputFormats: undefined,
  imagesMax: 2,
  promptLengthMax: 800,
  safety: undefined,
  takesCount: false,
  priceMicroUsd: 150_000,
}
