import type { Language, Translated } from '@starside/contract/languages.ts'
import { withBrandName } from '../brand.ts'
import { loadAgain } from '../load-later.ts'
import type { Area, CatalogueAreas, CatalogueLoaders } from './areas.ts'
import { english } from './en.ts'
import { spanish } from './es.ts'
import { chinese } from './zh.ts'

const loaders: Translated<CatalogueLoaders> = { en: english, es: spanish, zh: chinese }

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
  const named = withBrandName(messages)
  promises.set(`${area}.${language}`, fulfilled(Promise.resolve(named), named))
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
 * again by the next. `load` may wait for a lost connection.
 */
export function loadCatalogue<A extends Area>(
  area: A,
  language: Language,
  load: typeof loadAgain = loadAgain,
): Promise<CatalogueAreas[A]> {
  areasInUse.add(area)
  const key = `${area}.${language}`
  let promise = promises.get(key)
  if (!promise) {
    const started: CataloguePromise = load(loaders[language][area]).then(
      ({ messages }) => {
        const named = withBrandName(messages)
        void fulfilled(started, named)
        return named
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

/** Loads every area that the page uses so far in `language`, before it is switched to; rejects at once. */
export async function loadAreasInUse(language: Language): Promise<void> {
  await Promise.all([...areasInUse].map((area) => loadCatalogue(area, language, once)))
}

const once: typeof loadAgain = (load) => load()
