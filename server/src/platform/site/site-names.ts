import type { Database } from '../db/database.ts'
import { programName } from './brand-settings.ts'
import type { Site } from './site.ts'

/** Whether this installation has, or ever had, that name: pictures keep the one they were made under. */
export async function wasSiteName(
  { database, site }: { database: Database; site: Pick<Site, 'values'> },
  name: string,
): Promise<boolean> {
  if (name === programName || name === site.values()['brand.name']) return true
  const earlier = await database
    .selectFrom('site_setting_changes')
    .select('version')
    .where('key', '=', 'brand.name')
    .where('after', '=', JSON.stringify(name))
    .limit(1)
    .executeTakeFirst()
  return earlier !== undefined
}
