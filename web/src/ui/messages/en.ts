import type { CatalogueLoaders } from './areas.ts'

/** English. */
export const english: CatalogueLoaders = {
  shell: () => import('./shell.en.ts'),
  auth: () => import('./auth.en.ts'),
  dashboard: () => import('./dashboard.en.ts'),
  errors: () => import('./errors.en.ts'),
  trust: () => import('./trust.en.ts'),
  variations: () => import('./variations.en.ts'),
}
