import { languages, type Language } from './messages/catalogues.ts'

/**
 * The interface language: the stored choice, else the first of the browser's languages that we
 * speak (by its primary subtag), else English.
 */
export function detectLanguage(stored: string | null, preferred: readonly string[]): Language {
  const chosen = languages.find((language) => language === stored)
  if (chosen) return chosen
  for (const tag of preferred) {
    const primary = tag.toLowerCase().split('-')[0]
    const match = languages.find((language) => language === primary)
    if (match) return match
  }
  return 'en'
}
