import {
  createContext,
  startTransition,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from 'react'
import { storageKeys } from '@starside/contract/api.ts'
import { languageNames, type Language } from '@starside/contract/languages.ts'
import { loadAreasInUse, loadCatalogue, peekErrors } from './messages/catalogues.ts'
import type { Area, CatalogueAreas } from './messages/catalogues.ts'
import { ApiError } from '../api/call.ts'
import { fill } from '@starside/contract/fill.ts'

interface LanguageContextValue {
  language: Language
  /** Resolves once the texts are there; rejects when they can't be loaded, and changes nothing then. `isKept`: for later visits too. */
  setLanguage: (language: Language, isKept?: boolean) => Promise<void>
}

/** Texts that a part of the site says otherwise, by area: guests of an event have no credits. */
export const OwnTexts = createContext<{ [A in Area]?: Partial<CatalogueAreas[A]> }>({})

const LanguageContext = createContext<LanguageContextValue | null>(null)

/** Gives the interface language and switches it once the new texts have been loaded. */
export function LanguageProvider(props: { initial: Language; children: ReactNode }) {
  const [language, show] = useState(props.initial)
  useEffect(() => {
    document.documentElement.lang = languageNames[language].tag
  }, [language])
  const setLanguage = useCallback(async (next: Language, isKept = true) => {
    await loadAreasInUse(next)
    if (isKept) localStorage.setItem(storageKeys.language, next)
    startTransition(() => show(next))
  }, [])
  const value = useMemo(() => ({ language, setLanguage }), [language, setLanguage])
  return <LanguageContext value={value}>{props.children}</LanguageContext>
}

/** The interface language and the way to switch it. */
export function useLanguage(): LanguageContextValue {
  const value = use(LanguageContext)
  if (!value) throw new Error('useLanguage must be used within a LanguageProvider')
  return value
}

/** The texts of one area in the interface language; suspends while they are being loaded. */
export function useMessages<A extends Area>(area: A): CatalogueAreas[A] {
  const { language } = useLanguage()
  const texts = use(loadCatalogue(area, language))
  const own = use(OwnTexts)[area]
  return useMemo(() => (own ? { ...texts, ...own } : texts), [texts, own])
}

/** A day and time of day, or what else is asked for, in the reader's language and time zone. */
export function dateTimeText(
  isoTime: string,
  language: Language,
  parts: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' },
): string {
  const date = new Date(isoTime)
  if (Number.isNaN(date.getTime())) return isoTime
  return new Intl.DateTimeFormat(languageNames[language].tag, parts).format(date)
}

/** The same of a deadline, with the name of the time zone. */
export function momentText(isoTime: string, language: Language): string {
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const
  return dateTimeText(isoTime, language, { ...day, ...time })
}

/** The sentence of an error's code, as this part of the site says it; undefined where there is none. */
export function useErrorText(): (code: string) => string | undefined {
  const { language } = useLanguage()
  const own = use(OwnTexts).errors
  return (code) => {
    const table: Record<string, string | undefined> = { ...peekErrors(language), ...own }
    return table[code]
  }
}

/** The server's sentence, the specification's for an answer without one, or `fallback`. */
export function useErrorSentence(): (error: unknown, fallback: string) => string {
  const m = useMessages('shell')
  const textOf = useErrorText()
  return (error, fallback) => {
    if (!(error instanceof ApiError)) return fallback
    if (error.fromServer) return textOf(error.code) ?? error.message
    const isHttp = error.code === 'HTTP_ERROR' && error.status >= 400
    return isHttp ? fill(m.httpError, { code: error.status }) : fallback
  }
}
