import type { ErrorCode } from '@starside/contract/errors.ts'
import type { Language } from '@starside/contract/languages.ts'
import type auth from '@starside/contract/texts/en/auth.json'
import type events from '@starside/contract/texts/en/events.json'
import type dashboard from '@starside/contract/texts/en/dashboard.json'
import type shell from '@starside/contract/texts/en/shell.json'
import type trust from '@starside/contract/texts/en/trust.json'
import type variations from '@starside/contract/texts/en/variations.json'
import { withBrandName } from '../brand.ts'
import { loadAgain } from '../load-later.tsx'

export type DashboardMessages = typeof dashboard
export type ShellMessages = typeof shell

/** The texts are split by where they are needed, so that a page loads only its own. */
export interface CatalogueAreas {
  shell: ShellMessages
  auth: typeof auth
  dashboard: DashboardMessages
  /** Empty in English, where the server's own sentence is shown. */
  errors: Partial<Record<ErrorCode, string>>
  events: typeof events
  trust: typeof trust
  variations: typeof variations
}
export type Area = keyof CatalogueAreas

const texts = '../../../../contract/src/texts'
const files = import.meta.glob<Catalogue>(
  [
    '../../../../contract/src/texts/*/{shell,auth,dashboard,errors,events,trust,variations}.json',
    '!../../../../contract/src/texts/en/errors.json',
  ],
  { import: 'default' },
)

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

/** The sentences of errors if they have been loaded. */
export function peekErrors(language: Language): CatalogueAreas['errors'] | undefined {
  return promises.get(`errors.${language}`)?.value as CatalogueAreas['errors'] | undefined
}

/** Loads one catalogue, once for every caller; one that failed is tried again by the next. */
export function loadCatalogue<A extends Area>(
  area: A,
  language: Language,
  load: typeof loadAgain = loadAgain,
): Promise<CatalogueAreas[A]> {
  areasInUse.add(area)
  const key = `${area}.${language}`
  const known = promises.get(key)
  if (known) return known as Promise<CatalogueAreas[A]>
  const file = files[`${texts}/${language}/${area}.json`] ?? (() => Promise.resolve({}))
  const started: CataloguePromise = load(file).then((messages) => {
    const named = withBrandName(messages)
    void fulfilled(started, named)
    return named
  })
  promises.set(key, started)
  started.catch(() => promises.delete(key))
  return started as Promise<CatalogueAreas[A]>
}

function fulfilled(promise: CataloguePromise, value: Catalogue): CataloguePromise {
  return Object.assign(promise, { status: 'fulfilled' as const, value })
}

/** Loads every area that the page uses so far in `language`, before it is switched to; rejects at once. */
export async function loadAreasInUse(language: Language): Promise<void> {
  await Promise.all([...areasInUse].map((area) => loadCatalogue(area, language, once)))
}

const once: typeof loadAgain = (load) => load()
