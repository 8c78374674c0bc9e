import { languages, type Language } from '@starside/contract/languages.ts'
import { expect, it, vi } from 'vitest'
import { shown, withBrandName } from '../brand.ts'
import { loadAreasInUse, loadCatalogue, peekErrors, type Area } from './catalogues.ts'

const areas: readonly Area[] = ['shell', 'auth', 'dashboard', 'trust', 'variations', 'errors']

it.each(languages)(
  'every area has texts in %s but the English errors, which the server says',
  async (language) => {
    for (const area of areas) {
      const isEmpty = Object.keys(await loadCatalogue(area, language)).length === 0
      expect(isEmpty, area).toBe(area === 'errors' && language === 'en')
    }
  },
)

it('texts that could not be loaded are loaded by the next who needs them, and then kept', async () => {
  const load = vi.fn<() => Promise<never>>()
  load.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  load.mockResolvedValue({ title: 'Here' } as never)
  // A language of this test alone, as all tests share what is loaded.
  const ask = () => loadCatalogue('shell', 'of-this-test' as Language, load)
  await expect(ask()).rejects.toThrow('Failed to fetch')
  expect(await ask()).toMatchObject({ title: 'Here' })
  await ask()
  expect(load).toHaveBeenCalledTimes(2)
})

it('a language is loaded with every area that the page has used', async () => {
  await loadCatalogue('errors', 'en')
  const other = 'another-of-this-test' as Language
  expect(peekErrors(other)).toBeUndefined()
  await loadAreasInUse(other)
  expect(peekErrors(other)).toBeDefined()
})

it('the name that an operator has set stands wherever it is meant, whatever it holds', () => {
  const texts = { one: '{brand} and {brand}', more: ['by {brand}'], count: 2 }
  expect(withBrandName(texts)).toBe(texts)
  shown.brand = { name: 'A$&B' } as never
  expect(withBrandName(texts)).toEqual({ one: 'A$&B and A$&B', more: ['by A$&B'], count: 2 })
  shown.brand = undefined
})

it('texts that are loaded have the name that the operator has set', async () => {
  shown.brand = { name: 'Glitter' } as never
  const load = () => Promise.resolve({ title: 'At {brand}' } as never)
  const named = await loadCatalogue('shell', 'named-in-this-test' as Language, load)
  expect(named).toMatchObject({ title: 'At Glitter' })
  shown.brand = undefined
})
