import type { CatalogueLoaders } from './areas.ts'

/** Spanish. */
export const spanish: CatalogueLoaders = {
  shell: () => import('./shell.es.ts'),
  auth: () => import('./auth.es.ts'),
  dashboard: () => import('./dashboard.es.ts'),
  errors: () => import('./errors.es.ts'),
  trust: () => import('./trust.es.ts'),
  variations: () => import('./variations.es.ts'),
}
