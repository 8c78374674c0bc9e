import { keysOf } from './keys-of.ts'

/**
 * The languages that the interface speaks: a new one is a line here and a folder of `texts/`, and
 * the tests name what is missing.
 * No schema library is imported here, so that the browser's bundle stays small.
 */
export const languageNames = {
  en: { name: 'English', tag: 'en' },
  zh: { name: '简体中文', tag: 'zh-Hans' },
  es: { name: 'Español', tag: 'es' },
} as const satisfies Record<string, LanguageName>

export interface LanguageName {
  /** What the language calls itself. */
  name: string
  /** Its BCP 47 tag for the document. */
  tag: string
}

/** A language by its primary subtag. */
export type Language = keyof typeof languageNames
export const languages: readonly Language[] = keysOf(languageNames)

/** Stands in for readers of all other languages. */
export const defaultLanguage = 'en' satisfies Language

/** Whatever is there once in every language. */
export type Translated<Value> = Readonly<Record<Language, Value>>

/** Makes something once in every language. */
export function inEveryLanguage<Value>(make: (language: Language) => Value): Translated<Value> {
  const made = languages.map((language) => [language, make(language)])
  return Object.fromEntries(made) as Translated<Value>
}

/**
 * The first of a reader's languages that is spoken here, compared by primary subtag
 * (BCP 47 tags or language ranges, best first), else the default one.
 */
export function findLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const primary = tag.trim().toLowerCase().split('-')[0]
    const found = languages.find((language) => language === primary)
    if (found) return found
  }
  return defaultLanguage
}
