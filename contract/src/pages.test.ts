import { expect, test } from 'vitest'
import { findLanguage, languages } from './languages.ts'
import { findPage, pageNames, pages, prerenderedFile, prerenderedPages } from './pages.ts'

test('no two pages stand at one path, and no two prerendered ones in one file', () => {
  const paths = pageNames.map((name) => pages[name].path)
  expect(new Set(paths).size).toBe(paths.length)
  const files = prerenderedPages.flatMap((page) =>
    languages.map((language) => prerenderedFile(page, language)),
  )
  expect(new Set(files).size).toBe(prerenderedPages.length * languages.length)
})

test.each([
  ['/', 'landing'],
  ['/dashboard', 'dashboard'],
  ['/dashboard/', 'dashboard'],
  ['/Dashboard', undefined],
  ['/dashboard/x', undefined],
  ['', undefined],
])('at %j is %s', (path, page) => {
  expect(findPage(path)).toBe(page)
})

test.each([
  [['de-CH', 'es-MX', 'en'], 'es'],
  [['zh-TW'], 'zh'],
  [['qaa', 'qab'], 'en'],
  [[' ES'], 'es'],
  [[], 'en'],
  [['*'], 'en'],
])('readers of %j are spoken to in %s', (tags, language) => {
  expect(findLanguage(tags)).toBe(language)
})
