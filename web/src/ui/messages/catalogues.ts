import type { AuthMessages } from './auth.en.ts'
import type { DashboardMessages } from './dashboard.en.ts'
import type { ErrorMessages } from './errors.en.ts'
import type { ShellMessages } from './shell.en.ts'

export const languages = ['en', 'zh', 'es'] as const
export type Language = (typeof languages)[number]

/** What each language calls itself, and its BCP 47 tag for the document. */
export const languageNames: Record<Language, { name: string; tag: string }> = {
  en: { name: 'English', tag: 'en' },
  zh: { name: '简体中文', tag: 'zh-Hans' },
  es: { name: 'Español', tag: 'es' },
}

/** The catalogues are split by where they are needed, so that a page loads only its own texts. */
export interface CatalogueAreas {
  shell: ShellMessages
  auth: AuthMessages
  dashboard: DashboardMessages
  errors: ErrorMessages
}
export type Area = keyof CatalogueAreas

type Loader<Messages> = () => Promise<{ messages: Messages }>

const loaders: { [A in Area]: Record<Language, Loader<CatalogueAreas[A]>> } = {
  shell: {
    en: () => import('./shell.en.ts'),
    zh: () => import('./shell.zh.ts'),
    es: () => import('./shell.es.ts'),
  },
  auth: {
    en: () => import('./auth.en.ts'),
    zh: () => import('./auth.zh.ts'),
    es: () => import('./auth.es.ts'),
  },
  dashboard: {
    en: () => import('./dashboard.en.ts'),
    zh: () => import('./dashboard.zh.ts'),
    es: () => import('./dashboard.es.ts'),
  },
  errors: {
    en: () => import('./errors.en.ts'),
    zh: () => import('./errors.zh.ts'),
    es: () => import('./errors.es.ts'),
  },
}

const loaded = new Map<string, CatalogueAreas[Area]>()
const loading = new Map<string, Promise<CatalogueAreas[Area]>>()
const areasInUse = new Set<Area>(['shell'])

/** Puts a catalogue in place that was imported directly, as the landing page's own. */
export function registerCatalogue<A extends Area>(
  area: A,
  language: Language,
  messages: CatalogueAreas[A],
): void {
  loaded.set(`${area}.${language}`, messages)
}

/** The catalogue if it has been loaded. */
export function peekCatalogue<A extends Area>(
  area: A,
  language: Language,
): CatalogueAreas[A] | undefined {
  return loaded.get(`${area}.${language}`) as CatalogueAreas[A] | undefined
}

/** Loads one catalogue, once; a failed load is tried again by the next caller. */
export function loadCatalogue<A extends Area>(
  area: A,
  language: Language,
): Promise<CatalogueAreas[A]> {
  areasInUse.add(area)
  const key = `${area}.${language}`
  const known = loaded.get(key)
  if (known) return Promise.resolve(known as CatalogueAreas[A])
  let promise = loading.get(key)
  if (!promise) {
    promise = loaders[area][language]().then(
      ({ messages }) => {
        loaded.set(key, messages)
        return messages
      },
      (error: unknown) => {
        loading.delete(key)
        throw error
      },
    )
    loading.set(key, promise)
  }
  return promise as Promise<CatalogueAreas[A]>
}

/** Loads every area that the page uses so far in `language`, before it is switched to. */
export async function loadAreasInUse(language: Language): Promise<void> {
  await Promise.all([...areasInUse].map((area) => loadCatalogue(area, language)))
}
