import type { ComponentType } from 'react'
import type { Language } from '@starside/contract/languages.ts'
import type { PageName } from '@starside/contract/pages.ts'
import { loadCatalogue, type Area } from '../ui/messages/catalogues.ts'
import { LandingPage } from './landing-page.tsx'
import { loadLater } from '../ui/load-later.tsx'

interface PageProgram {
  View: ComponentType
  /** Loads what shows it, for those who will be there soon. */
  load: () => Promise<unknown>
  /** The texts that it shows beside those of the shell. */
  areas: readonly Area[]
}

/** Shared, so that what was loaded stays when somebody goes from one of its pages to another. */
const dashboard = pageProgram(() => import('./dashboard-page.tsx'), 'DashboardPage', [
  'dashboard',
  'auth',
  'errors',
])

const eventAreas: readonly Area[] = ['events', 'dashboard', 'errors']
const pictureAreas: readonly Area[] = [...eventAreas, 'variations']

/** The landing page's program comes with the first script, every other page's when it is needed. */
export const pagePrograms: Record<PageName, PageProgram> = {
  landing: { View: LandingPage, load: () => Promise.resolve(), areas: [] },
  auth: pageProgram(() => import('../auth/auth-page.tsx'), 'AuthPage', ['auth', 'errors']),
  dashboard,
  gallery: dashboard,
  terms: pageProgram(() => import('../legal/legal-page.tsx'), 'TermsPage', []),
  privacy: pageProgram(() => import('../legal/legal-page.tsx'), 'PrivacyPage', []),
  imprint: pageProgram(() => import('../legal/legal-page.tsx'), 'ImprintPage', []),
  event: pageProgram(() => import('../events/guest-page.tsx'), 'GuestPage', [
    ...pictureAreas,
    'auth',
  ]),
  kiosk: pageProgram(() => import('../events/kiosk-page.tsx'), 'KioskPage', pictureAreas),
  wall: pageProgram(() => import('../events/wall-page.tsx'), 'WallPage', eventAreas),
  moderation: pageProgram(() => import('../events/team-pages.tsx'), 'ModerationPage', eventAreas),
  prints: pageProgram(() => import('../events/team-pages.tsx'), 'PrintsPage', eventAreas),
}

function pageProgram<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  areas: readonly Area[],
): PageProgram {
  return { View: loadLater<Record<string, ComponentType>, string>(load, name), load, areas }
}

/** Starts loading what a page will need, while it is not yet known who is signed in. */
export function loadAhead(name: PageName, language: Language): void {
  const { load, areas } = pagePrograms[name]
  // A failure shows when the page itself is rendered.
  Promise.all([load(), ...areas.map((area) => loadCatalogue(area, language))]).catch(
    () => undefined,
  )
}
