import { languageNames, type Language } from '@starside/contract/languages.ts'

/** A day and time of day in the reader's language and time zone. */
export function dateTimeText(isoTime: string, language: Language): string {
  const date = new Date(isoTime)
  if (Number.isNaN(date.getTime())) return isoTime
  return new Intl.DateTimeFormat(languageNames[language].tag, {
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(date)
}
