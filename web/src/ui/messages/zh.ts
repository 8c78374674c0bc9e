import type { CatalogueLoaders } from './areas.ts'

/** Simplified Chinese. */
export const chinese: CatalogueLoaders = {
  shell: () => import('./shell.zh.ts'),
  auth: () => import('./auth.zh.ts'),
  dashboard: () => import('./dashboard.zh.ts'),
  errors: () => import('./errors.zh.ts'),
  trust: () => import('./trust.zh.ts'),
  variations: () => import('./variations.zh.ts'),
}
