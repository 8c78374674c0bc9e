import { keysOf } from './keys-of.ts'
import { defaultLanguage, type Language } from './languages.ts'

/** Pages; each is in `web/src/app/page-programs.tsx` too. No schema library: browsers load this. */
export const pages = {
  landing: { path: '/', audience: 'everyone', prerendered: true },
  auth: { path: '/auth', audience: 'signed-out', prerendered: false },
  dashboard: { path: '/dashboard', audience: 'signed-in', prerendered: false },
  gallery: { path: '/gallery', audience: 'signed-in', prerendered: false },
  terms: { path: '/terms', audience: 'everyone', prerendered: true },
  privacy: { path: '/privacy', audience: 'everyone', prerendered: true },
  imprint: { path: '/imprint', audience: 'everyone', prerendered: true },
  event: { path: '/e/:event', audience: 'guests', prerendered: false },
  kiosk: { path: '/e/:event/kiosk', audience: 'guests', prerendered: false },
  wall: { path: '/e/:event/wall', audience: 'guests', prerendered: false },
  moderation: { path: '/e/:event/moderate', audience: 'guests', prerendered: false },
  prints: { path: '/e/:event/print', audience: 'guests', prerendered: false },
} as const satisfies Record<string, Page>

/** Where an address that nothing is at leads: to the landing page, whose part of that name says so. */
export const unknownPagePath = '/#unknown-page'

export interface Page {
  /** A part such as `:event` stands for any name. */
  path: string
  /**
   * Everybody else is led away: from `signed-out` to the dashboard, from `signed-in` to auth. `guests` of
   * an event are nobody of the site, whoever is signed in there.
   */
  audience: 'everyone' | 'signed-out' | 'signed-in' | 'guests'
  /** Whether the build writes it as HTML in every language, to be read before any script runs. */
  prerendered: boolean
}

export type PageName = keyof typeof pages
export const pageNames = keysOf(pages)

export type PrerenderedPage = {
  [Name in PageName]: (typeof pages)[Name]['prerendered'] extends true ? Name : never
}[PageName]
export const prerenderedPages = pageNames.filter(
  (name): name is PrerenderedPage => pages[name].prerendered,
)

/** The page at a path, with or without a slash at its end. */
export function findPage(pathname: string): PageName | undefined {
  const path = pathname.length > 1 ? pathname.replace(/\/$/u, '') : pathname
  return pageNames.find((name) => isAt(pages[name].path, path))
}

function isAt(pattern: string, path: string): boolean {
  const [wanted, found] = [pattern.split('/'), path.split('/')]
  const fits = (part: string, at: number): boolean =>
    part === found[at] || (part.startsWith(':') && found[at] !== '')
  return wanted.length === found.length && wanted.every(fits)
}

/** The event whose page is at a path; null at every other. */
export function eventOfPath(pathname: string): string | null {
  const page = findPage(pathname)
  const isOfEvent = page !== undefined && pages[page].audience === 'guests'
  return isOfEvent ? (pathname.split('/')[2] ?? null) : null
}

/** The file of the build that holds a prerendered page in a language. */
export function prerenderedFile(page: PrerenderedPage, language: Language): string {
  const stem = pages[page].path === '/' ? 'index' : page
  return language === defaultLanguage ? `${stem}.html` : `${stem}.${language}.html`
}
