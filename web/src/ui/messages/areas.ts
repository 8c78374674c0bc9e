import type { AuthMessages } from './auth.en.ts'
import type { DashboardMessages } from './dashboard.en.ts'
import type { ErrorMessages } from './errors.en.ts'
import type { ShellMessages } from './shell.en.ts'
import type { TrustMessages } from './trust.en.ts'
import type { VariationMessages } from './variations.en.ts'

/** The texts are split by where they are needed, so that a page loads only its own. */
export interface CatalogueAreas {
  shell: ShellMessages
  auth: AuthMessages
  dashboard: DashboardMessages
  errors: ErrorMessages
  trust: TrustMessages
  variations: VariationMessages
}
export type Area = keyof CatalogueAreas

/** How the texts of one language are loaded, area by area. */
export type CatalogueLoaders = {
  [A in Area]: () => Promise<{ messages: CatalogueAreas[A] }>
}
