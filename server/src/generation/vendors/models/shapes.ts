import type { ModelCard } from './model-card.ts'

type Shape = NonNullable<ModelCard['shape']>

export const ratios: Shape = {
  field: 'aspect_ratio',
  values: { '4:5': '4:5', '1:1': '1:1', '16:9': '16:9', '9:16': '9:16' },
}
/** FLUX.1 Kontext knows no 4:5. */
export const kontextRatios: Shape = {
  field: 'aspect_ratio',
  values: { ...ratios.values, '4:5': '3:4' },
}
/** fal's named sizes; 4:5 has none, so it is given in pixels. */
export const falSizes: Shape = {
  field: 'image_size',
  values: {
    '4:5': { width: 1024, height: 1280 },
    '1:1': 'square_hd',
    '16:9': 'landscape_16_9',
    '9:16': 'portrait_16_9',
  },
}
/** Seedream takes 1920 to 4096 pixels a side. */
export const seedreamSizes: Shape = {
  field: 'image_size',
  values: {
    '4:5': { width: 1920, height: 2400 },
    '1:1': { width: 2048, height: 2048 },
    '16:9': { width: 3413, height: 1920 },
    '9:16': { width: 1920, height: 3413 },
  },
}
/** gpt-image up to 1.5 knows three sizes. */
const gptImageSizes: Shape['values'] = {
  '4:5': '1024x1536',
  '1:1': '1024x1024',
  '16:9': '1536x1024',
  '9:16': '1024x1536',
}
/** gpt-image-2 takes multiples of 16, 655,360 to 8,294,400 pixels, sides up to 3840, up to 3:1. */
const gptImage2Pixels = {
  '4:5': { width: 1024, height: 1280 },
  '1:1': { width: 1024, height: 1024 },
  '16:9': { width: 1536, height: 864 },
  '9:16': { width: 864, height: 1536 },
} satisfies Shape['values']
/** For open models: about one megapixel, both sides in multiples of 32. */
const openPixels: Shape['values'] = {
  '4:5': '1024x1280',
  '1:1': '1152x1152',
  '16:9': '1536x864',
  '9:16': '864x1536',
}

export const falGptImageSizes: Shape = { field: 'image_size', values: gptImageSizes }
export const falGptImage2Sizes: Shape = { field: 'image_size', values: gptImage2Pixels }
export const openaiSizes: Shape = { field: 'size', values: gptImageSizes }
export const openaiImage2Sizes: Shape = {
  field: 'size',
  values: { '4:5': '1024x1280', '1:1': '1024x1024', '16:9': '1536x864', '9:16': '864x1536' },
}
export const openSizes: Shape = { field: 'size', values: openPixels }
