import { sql } from 'kysely'
import { findRow } from '../platform/db/rows.ts'
import { markTextOf } from '../platform/site/present-brand.ts'
import type { SelfieParts } from './parts.ts'
import { systemVersion } from '../platform/settings/system-version.ts'
import type { Queryable } from '../platform/db/database.ts'

/** What the pictures say of the installation that made them. */
export function describeSystem({ config, site }: Pick<SelfieParts, 'config' | 'site'>) {
  const values = site.values()
  return {
    watermarkText: markTextOf(values, config.publicHost),
    systemName: values['brand.name'],
    systemVersion,
    aiLabel: config.aiLabel,
  }
}

/** The invisible mark's id: the generation id's first 64 bits (60 random), as lower-case hex. */
export function markIdOf(generationId: string): string {
  return generationId.replaceAll('-', '').slice(0, 16)
}

/** The generation whose mark this is; undefined when its row is gone or never was. */
export function findMarkedGeneration(database: Queryable, markId: string) {
  const start = `${markId.slice(0, 8)}-${markId.slice(8, 12)}-${markId.slice(12)}`
  const [first, last] = [`${start}-0000-000000000000`, `${start}-ffff-ffffffffffff`]
  return findRow(database, 'generations', sql`id between ${first} and ${last} limit 1`)
}

/** The seed of a scene, of the UUID's last eight, random digits: the same when a job runs again. */
export function sceneSeedOf(generationId: string): number {
  return Number.parseInt(generationId.slice(-8), 16)
}
