import { expect, it } from 'vitest'
import { findLanguage } from './languages.ts'

it.each([
  ['', ['de-CH', 'es-MX', 'en'], 'es'],
  ['', ['zh-TW'], 'zh'],
  ['', ['qaa', 'qab'], 'en'],
  ['', [], 'en'],
  ['zh', ['es'], 'zh'],
  ['xx', ['es'], 'es'],
] as const)('stored %j with %j speaks %s', (stored, preferred, expected) => {
  expect(findLanguage([stored, ...preferred])).toBe(expected)
})
