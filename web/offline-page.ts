import { readFileSync } from 'node:fs'
import { languageNames, languages } from '@starside/contract/languages.ts'
import { storageKeys } from '@starside/contract/api.ts'
import { readTexts } from '@starside/contract/read-texts.ts'

const template = readFileSync(new URL('offline-template.html', import.meta.url), 'utf8')
const texts = readTexts('offline')

/** The page that the service worker shows without a connection: one file, in all languages. */
export function offlinePage(productName: string): string {
  const sections = languages.map((language) => {
    const { title, text, tryAgain } = texts[language]
    return `<section id="${language}" lang="${languageNames[language].tag}"><h1>${title}</h1><p>${text}</p><button type="button">${tryAgain}</button></section>`
  })
  return template
    .replaceAll('%PRODUCT%', productName)
    .replace('%SECTIONS%', sections.join(''))
    .replace('%LANGUAGE_KEY%', storageKeys.language)
    .replace('%THEME_KEY%', storageKeys.theme)
}
