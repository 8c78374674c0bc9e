import { languages } from '@starside/contract/languages.ts'
import { expect, it } from 'vitest'
import { loadCatalogue, type Area } from './catalogues.ts'

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
