import { expect, test } from 'vitest'
import { findLanguage, languages } from './languages.ts'
import {
  eventOfPath,
  findPage,
  pageNames,
  pages,
  prerenderedFile,
  prerenderedPages,
} from './pages.ts'

test('no two pages stand at one path, and no two prerendered ones in one file', () => {
  const paths = pageNames.map((name) => pages[name].path)
  expect(new Set(paths).size).toBe(paths.length)
  const files = prerenderedPages.flatMap((page) =>
    languages.map((language) => prerenderedFile(page, language)),
  )
  expect(new Set(files).size).toBe(prerenderedPages.length * languages.length)
  const written = (['landing', 'terms'] as const).flatMap((page) => [
    prerenderedFile(page, 'en'),
    prerenderedFile(page, 'zh'),
  ])
  expect(written).toEqual(['index.html', 'index.zh.html', 'terms.html', 'terms.zh.html'])
})

test.each([
  ['/', 'landing'],
  ['/dashboard', 'dashboard'],
  ['/dashboard/', 'dashboard'],
  ['/Dashboard', undefined],
  ['/dashboard/x', undefined],
  ['', undefined],
  ['/e/gala', 'event'],
  ['/e/gala/', 'event'],
  ['/e/', undefined],
  ['/e//kiosk', undefined],
  ['/e/gala/kiosk', 'kiosk'],
  ['/e/gala/print', 'prints'],
  ['/e/gala/other', undefined],
])('at %j is %s', (path, page) => {
  expect(findPage(path)).toBe(page)
})

test.each([
  ['/e/gala', 'gala'],
  ['/e/gala/wall/', 'gala'],
  ['/e/gala/other', null],
  ['/dashboard', null],
])('at %j is the event %s', (path, event) => {
  expect(eventOfPath(path)).toBe(event)
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
