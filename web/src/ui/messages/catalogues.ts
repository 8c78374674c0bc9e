import type { AuthMessages } from './auth.en.ts'
import type { DashboardMessages } from './dashboard.en.ts'
import type { ErrorMessages } from './errors.en.ts'
import type { ShellMessages } from './shell.en.ts'
import type { TrustMessages } from './trust.en.ts'

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
  trust: TrustMessages
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
  trust: {
    en: () => import('./trust.en.ts'),
    zh: () => import('./trust.zh.ts'),
    es: () => import('./trust.es.ts'),
  },
}

type Catalogue = CatalogueAreas[Area]
/** A promise that React's `use` reads at once, without suspending, when it is marked fulfilled. */
type CataloguePromise = Promise<Catalogue> & { status?: 'fulfilled'; value?: Catalogue }

const promises = new Map<string, CataloguePromise>()
const areasInUse = new Set<Area>(['shell'])

/** Puts a catalogue in place that was imported directly, as the landing page's own. */
export function registerCatalogue<A extends Area>(
  area: A,
  language: Language,
  messages: CatalogueAreas[A],
): void {
  promises.set(`${area}.${language}`, fulfilled(Promise.resolve(messages), messages))
}

/** The catalogue if it has been loaded. */
export function peekCatalogue<A extends Area>(
  area: A,
  language: Language,
): CatalogueAreas[A] | undefined {
  return promises.get(`${area}.${language}`)?.value as CatalogueAreas[A] | undefined
}

/**
 * Loads one catalogue, once, and gives the same promise to every caller; a failed load is tried
 * again by the next.
 */
export function loadCatalogue<A extends Area>(
  area: A,
  language: Language,
): Promise<CatalogueAreas[A]> {
  areasInUse.add(area)
  const key = `${area}.${language}`
  let promise = promises.get(key)
  if (!promise) {
    const started: CataloguePromise = loaders[area][language]().then(
      ({ messages }) => {
        void fulfilled(started, messages)
        return messages
      },
      (error: unknown) => {
        promises.delete(key)
        throw error
      },
    )
    promise = started
    promises.set(key, promise)
  }
  return promise as Promise<CatalogueAreas[A]>
}

function fulfilled(promise: CataloguePromise, value: Catalogue): CataloguePromise {
  return Object.assign(promise, { status: 'fulfilled' as const, value })
}

/** Loads every area that the page uses so far in `language`, before it is switched to. */
export async function loadAreasInUse(language: Language): Promise<void> {
  await Promise.all([...areasInUse].map((area) => loadCatalogue(area, language)))
}
