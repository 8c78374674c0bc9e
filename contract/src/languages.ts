import { keysOf } from './keys-of.ts'

/** Languages spoken; a new one also needs its `texts/`. No schema library: browsers load this. */
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

/** The first spoken of a reader's BCP 47 tags or ranges, by primary subtag; else the default. */
export function findLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const primary = tag.trim().toLowerCase().split('-')[0]
    const found = languages.find((language) => language === primary)
    if (found) return found
  }
  return defaultLanguage
}
