import { expect, test } from 'vitest'
import { languageNames, languages } from '@starside/contract/languages.ts'
import { offlinePage } from '../web/offline-page.ts'

test('the offline page tells a screen reader the language of each of its parts', () => {
  const parts = offlinePage('{brand}').matchAll(/<section id="(.+?)" lang="(.+?)">/gu)
  expect([...parts].map(([, language, tag]) => [language, tag])).toEqual(
    languages.map((language) => [language, languageNames[language].tag]),
  )
})
