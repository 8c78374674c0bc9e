import { expect, it } from 'vitest'
import { detectLanguage } from './language.tsx'

it.each([
  [null, ['de-CH', 'es-MX', 'en'], 'es'],
  [null, ['zh-TW'], 'zh'],
  [null, ['qaa', 'qab'], 'en'],
  [null, [], 'en'],
  ['zh', ['es'], 'zh'],
  ['xx', ['es'], 'es'],
] as const)('stored %s with %j speaks %s', (stored, preferred, expected) => {
  expect(detectLanguage(stored, preferred)).toBe(expected)
})
