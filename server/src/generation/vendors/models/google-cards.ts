import type { ModelCard } from './model-card.ts'

const common = {
  provider: 'google',
  shape: {
    field: 'aspectRatio',
    values: { '4:5': '4:5', '1:1': '1:1', '16:9': '16:9', '9:16': '9:16' },
  },
  photosMax: 14,
  promptLengthMax: 5_000,
  licence: 'the vendor’s terms; commercial use',
  needs: 'GOOGLE_API_KEY',
} as const

/** Models of Google's Gemini API. Those before 3.1 are reported to be shut down. */
export const googleCards: readonly ModelCard[] = [
  {
    ...common,
    model: 'gemini-3.1-flash-lite-image',
    price: { usd: 0.0336, on: '2026-11-22', source: 'promptfoo pull request 9923' },
    seen: {
      on: '2026-11-22',
      source: 'https://ai.google.dev/gemini-api/docs/models/gemini-3.1-flash-lite-image',
    },
  },
  {
    ...common,
    model: 'gemini-nano-banana-2.1',
    price: { usd: 0.0336, on: '2026-11-22', source: 'litellm discussion 44983' },
    seen: undefined,
  },
  {
    ...common,
    model: 'gemini-3-pro-image-preview',
    price: { usd: 0.15, on: '2026-11-20', source: 'our estimate' },
    seen: { on: '2026-11-20', source: '@ai-sdk/google 4.0.121' },
  },
]

/** For a model that the list lacks; the whole family takes these. */
export function unknownGoogleCard(model: string): ModelCard {
  const price = { usd: 0.15, on: '2026-11-20', source: 'our estimate' }
  return { ...common, model, photosMax: 3, price }
}
