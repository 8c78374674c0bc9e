import type { PluginTransformQueryArgs, PluginTransformResultArgs } from 'kysely'
import { vi } from 'vitest'
import type { Database } from '../platform/db/database.ts'

/** A database that counts what it is asked for, in `asked`. */
export function countQueries(database: Database) {
  const asked = vi.fn(({ node }: PluginTransformQueryArgs) => node)
  const counting = {
    transformQuery: asked,
    transformResult: async ({ result }: PluginTransformResultArgs) => result,
  }
  return { database: database.withPlugin(counting), asked }
}
