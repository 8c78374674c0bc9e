import { selfieAspects } from '@starside/contract/scenes.ts'
import { describe, expect, test } from 'vitest'
import { vendorNames } from '../vendor-names.ts'
import {
  limitsOf,
  sizeOf,
  cardName,
  isPriceOld,
  modelDescriptionSchema,
} from './model-description.ts'
import { knownModels, openCatalogue, readOwnModels } from './model-catalogue.ts'

describe('the known models', () => {
  test('are whole, and none is there twice', () => {
    for (const card of knownModels) modelDescriptionSchema.parse(card)
    const names = knownModels.map(cardName)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  test('of gpt-image-2 are asked for multiples of 16 in exactly our shapes', () => {
    for (const [provider, model] of [
      ['openai', 'gpt-image-2'],
      ['openai', 'gpt-image-2.6-flare'],
      ['openai', 'gpt-image-3'],
      ['fal', 'openai/gpt-image-2/edit'],
    ] as const) {
      const { shape } = openCatalogue().find(provider, model)
      for (const aspect of selfieAspects) {
        const value = shape?.values[aspect] ?? ''
        const [width = 0, height = 0] =
          typeof value === 'string' ? value.split('x').map(Number) : [value.width, value.height]
        const [x = 0, y = 0] = aspect.split(':').map(Number)
        expect([width % 16, height % 16, width * y]).toEqual([0, 0, height * x])
        expect(width * height).toBeGreaterThanOrEqual(655_360)
      }
    }
  })

  test('were seen at a page of their vendor, or are off', () => {
    const pages =
      /^https:\/\/(?:fal\.ai|(?:developers|community)\.openai\.com|ai\.google\.dev|github\.com)\//
    const elsewhere = knownModels.filter(
      ({ seen }) => seen !== undefined && !pages.test(seen.source),
    )
    expect(elsewhere.map(cardName)).toEqual([])
    expect(openCatalogue().isUnverified('openai', 'gpt-image-2.5-flare')).toBe(true)
    expect(openCatalogue().isUnverified('google', 'gemini-nano-banana-2.1')).toBe(false)
  })

  test('say of a price when it is older than 90 days', () => {
    const card = openCatalogue().find('fal', 'google/nano-banana-2.1/edit')
    const daysAfter = (days: number) =>
      new Date(Date.parse(card.price?.on ?? '') + days * 86_400_000)
    expect(isPriceOld(card, daysAfter(90))).toBe(false)
    expect(isPriceOld(card, daysAfter(91))).toBe(true)
    expect(isPriceOld({ ...card, price: undefined }, daysAfter(1_000))).toBe(false)
  })
})

describe('what is asked about a model', () => {
  const { price: _price, ...card } = openCatalogue().find('openai', 'gpt-image-2')

  test('is what its card says, or what holds for all', () => {
    expect(limitsOf({ ...card, takesCount: true, likenessMin: 0.7 }, undefined)).toMatchObject({
      model: 'gpt-image-2',
      takesCount: true,
      priceMicroUsd: 0,
      promptLengthMax: card.promptLengthMax,
      photosMax: card.photosMax,
      photoPixelsMax: card.photoPixelsMax,
      likenessMin: 0.7,
    })
    const { takesCount: _count, likenessMin: _likeness, ...bare } = card
    const price = { usd: 0.0425, on: '2026-11-22', source: 'a test' }
    const limits = limitsOf({ ...bare, price }, undefined)
    expect(limits).toMatchObject({ takesCount: false, priceMicroUsd: 42_500, likenessMin: 0.55 })
    expect(limitsOf({ ...bare, price }, 7).priceMicroUsd).toBe(7)
    expect(limitsOf({ ...bare, price }, 0).priceMicroUsd).toBe(0)
  })

  test('is the size of a picture, where its card gives one', () => {
    const sizeIn = (value: string | { width: number; height: number }) =>
      sizeOf({ ...card, shape: { field: 'size', values: valuesOf(value) } }, '4:5')
    expect(sizeIn('1024x1280')).toEqual({ widthPx: 1024, heightPx: 1280 })
    expect(sizeIn({ width: 10, height: 20 })).toEqual({ widthPx: 10, heightPx: 20 })
    for (const ratio of ['4:5', 'x', '1024x', 'x1280', 'a1024x1280', '1024x1280b']) {
      expect(sizeIn(ratio), ratio).toBeUndefined()
    }
    expect(sizeOf({ ...card, shape: undefined }, '4:5')).toBeUndefined()
  })

  test('is the size that photos are cut to, where the server cuts them', () => {
    const values = valuesOf('1024x1280')
    const cutting = { ...card, shape: { field: 'size', values }, resizesPhotos: true }
    expect(limitsOf(cutting, 0).photoSize('4:5')).toEqual({ widthPx: 1024, heightPx: 1280 })
    expect(limitsOf({ ...cutting, resizesPhotos: false }, 0).photoSize('4:5')).toBeUndefined()
  })

  test.each(vendorNames)('of %s that nobody has listed is taken for one of its kind', (name) => {
    const unknown = openCatalogue().find(name, 'somebody/new')
    modelDescriptionSchema.parse(unknown)
    expect(unknown).toMatchObject({ provider: name, model: 'somebody/new' })
    expect(unknown.seen).toBeUndefined()
  })

  function valuesOf<Value>(value: Value) {
    return { '4:5': value, '1:1': value, '4:3': value, '16:9': value, '9:16': value }
  }
})

describe('an operator’s list', () => {
  const seen = { on: '2026-12-01', source: 'its page' }

  test('adds models, and changes what is known of others', () => {
    const { cards, faults } = readOwnModels(
      JSON.stringify([
        { provider: 'fal', model: 'somebody/new', photosMax: 4 },
        { provider: 'fal', model: 'fal-ai/nano-banana-2-lite/edit', seen },
      ]),
    )
    expect(faults).toEqual([])
    const catalogue = openCatalogue(cards)
    expect(catalogue.find('fal', 'somebody/new')).toMatchObject({
      photosMax: 4,
      promptLengthMax: 800,
    })
    expect(catalogue.find('fal', 'fal-ai/nano-banana-2-lite/edit')).toMatchObject({
      shape: { field: 'aspect_ratio' },
      seen,
    })
    expect(catalogue.isUnverified('fal', 'fal-ai/nano-banana-2-lite/edit')).toBe(false)
    expect(openCatalogue().isUnverified('fal', 'fal-ai/nano-banana-2-lite/edit')).toBe(true)
    expect(openCatalogue().isUnverified('fal', 'nobody/knows')).toBe(false)
    expect(catalogue.all).toHaveLength(knownModels.length + 1)
    expect(openCatalogue().all).toEqual(knownModels)
  })

  test('is refused with every fault at once', () => {
    const { faults } = readOwnModels(
      JSON.stringify([
        { provider: 'dalle', model: 'x', photosMax: 'two' },
        { provider: 'fal', model: 'a b', photoPixelsMax: 4, fields: { size: { width: 1 } } },
        { provider: 'fal', model: 'x/y', price: { usd: 1 }, colour: 'red' },
        { provider: 'fal', model: 'x/z' },
        { provider: 'fal', model: 'x/z' },
        7,
      ]),
    )
    expect(faults).toEqual([
      expect.stringContaining('entry 1: provider: '),
      expect.stringContaining('entry 1: photosMax: '),
      'entry 2: model: must be a vendor’s name of a model',
      expect.stringContaining('entry 2: photoPixelsMax: '),
      expect.stringContaining('entry 2: fields.size: '),
      expect.stringContaining('entry 3: price.on: '),
      expect.stringContaining('entry 3: price.source: '),
      expect.stringContaining('colour'),
      'entry 5: fal:x/z is there twice',
      expect.stringMatching(/^entry 6: \w/),
    ])
  })

  test.each(['', '{}', '[', 'null'])('of %j is no list', (text) => {
    expect(readOwnModels(text).faults).toEqual(['it must be a JSON array of models'])
  })
})
