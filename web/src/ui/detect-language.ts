import { findLanguage, languages, type Language } from '@starside/contract/languages.ts'

/** The interface language: the stored choice, else what fits the browser's languages best. */
export function detectLanguage(stored: string | null, preferred: readonly string[]): Language {
  return languages.find((language) => language === stored) ?? findLanguage(preferred)
}
