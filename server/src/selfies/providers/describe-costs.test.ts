import { describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { describeCosts, dollars, priceWarning } from './describe-costs.ts'
import { openProviders } from './image-models.ts'

const seen = '2026-11-22'
const ageMax = 90 * 86_400_000

function readSettings(chain: string, more: Record<string, string> = {}) {
  return readConfig({
    NODE_ENV: 'test',
    IMAGE_PROVIDERS: chain,
    FAL_KEY: 'key',
    OPENAI_API_KEY: 'key',
    COMFYUI_BASE_URL: 'http://127.0.0.1:9',
    ...more,
  }).images
}

function costs(chain: string, more?: Record<string, string>, now = new Date(seen)) {
  const settings = readSettings(chain, more)
  return describeCosts(settings, openProviders({ settings, fetch, now: Date.now }), now)
}

const nano = 'fal:google/nano-banana-2.1/edit'

describe('what selfies will cost', () => {
  test('isn’t told where nothing is charged', () => {
    expect(costs('compositor')).toEqual([])
    expect(costs('comfyui:flux-2-klein-4b,compositor')).toEqual([])
  })

  test('is the first provider’s price, whoever is free before it', () => {
    expect(costs(`comfyui:flux-2-klein-4b,${nano},compositor`)[0]).toBe(
      `A selfie costs $0.040 by ${nano}.`,
    )
  })

  test('is the sum of the chain at most, and the dearest for a day', () => {
    expect(
      costs(`${nano},openai:gpt-image-2`, {
        IMAGE_DAILY_SPEND_MAX_USD: '1.04',
        IMAGE_PRICES_USD: '{"openai:gpt-image-2":0.1}',
      }),
    ).toEqual([
      `A selfie costs $0.040 by ${nano}, and up to $0.140 where the next ones of the chain are asked too.`,
      'A day (UTC) costs up to $1.040 (IMAGE_DAILY_SPEND_MAX_USD): 10 selfies at $0.100.',
    ])
  })

  test('counts all pictures of one request', () => {
    const [selfie, day] = costs(nano, { IMAGE_PICTURES: '3', IMAGE_AT_ONCE: '2' })
    expect(selfie).toBe(`A selfie costs $0.120 by ${nano} (3 pictures at $0.040, IMAGE_PICTURES).`)
    expect(day).toBe(
      'Nothing limits a day: 2 at once (IMAGE_AT_ONCE), each in 20 s, would be $1036.800. Set IMAGE_DAILY_SPEND_MAX_USD.',
    )
  })

  test('tells old prices of the chain', () => {
    const later = new Date(Date.parse(seen) + ageMax + 1)
    expect(costs(`${nano},compositor`, {}, later).slice(2)).toEqual([
      `OLD PRICE: that of ${nano} was read ${seen}. Look it up, and set IMAGE_PRICES_USD.`,
    ])
  })
})

describe('a price', () => {
  const [step] = readSettings(nano).chain
  const warn = (settings: ReturnType<typeof readSettings>, ageMs: number) =>
    priceWarning(settings, step!, new Date(Date.parse(seen) + ageMs)).length

  test('is old after ninety days', () => {
    expect([warn(readSettings(nano), ageMax), warn(readSettings(nano), ageMax + 1)]).toEqual([0, 1])
  })

  test('that the operator has set is never old', () => {
    expect(warn(readSettings(nano, { IMAGE_PRICES_USD: `{"${nano}":0.03}` }), 2 * ageMax)).toBe(0)
  })

  test('is shown in dollars to a tenth of a cent', () => {
    expect([dollars(0), dollars(39_000), dollars(1_234_567)]).toEqual([
      '$0.000',
      '$0.039',
      '$1.235',
    ])
  })
})
