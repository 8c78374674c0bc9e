import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { findRow, findRows } from '../db/rows.ts'
import { openLiveValue } from '../db/live-value.ts'
import type { LiveParts } from '../db/live-value.ts'
import { programName } from './brand-settings.ts'
import { defaultSiteValues, isSiteKey, siteSettings } from './site-settings.ts'
import type { SiteFallbacks, SiteKey, SiteValues } from './site-settings.ts'

/** The topic that is published when a site setting changed. */
export const siteTopic = 'site-settings'
const pollIntervalMs = 10_000

export type Site = Awaited<ReturnType<typeof openSite>>

/** What operators have set, kept up to date until it is closed: it is at most a second old. */
export async function openSite(
  parts: LiveParts & { database: Database; fallbacks: SiteFallbacks },
) {
  const { database, fallbacks, log } = parts
  const tellWrongValue = (key: SiteKey) => {
    log.warn({ key }, 'a site setting is not as expected and counts as not set')
  }
  const live = await openLiveValue(parts, {
    name: 'the site settings',
    read: () => readSite(database, fallbacks, tellWrongValue),
    topic: siteTopic,
    pollIntervalMs,
  })
  return {
    /** All settings; what isn't set has its default. */
    values: () => live.current().values,
    /** The newest change among what is set; forms carry it, so that nobody overwrites unseen. */
    version: () => live.current().changes,
    refresh: live.refresh,
    close: live.close,
  }
}

/** The stored settings; one that isn't accepted counts as not set and goes to `onWrongValue`. */
export async function readSite(
  database: Database,
  fallbacks: SiteFallbacks,
  onWrongValue: (key: SiteKey) => void,
): Promise<{ values: SiteValues; changes: string }> {
  // The version is read first: values that are newer than it are read once more, never missed.
  const newestChange = sql`true order by version desc limit 1`
  const newest = await findRow(database, 'site_setting_changes', newestChange)
  const rows = await findRows(database, 'site_settings', sql`true`)
  const set = rows.flatMap(({ key, value }) => {
    if (!isSiteKey(key)) return []
    const parsed = siteSettings[key].safeParse(value)
    if (parsed.success) return [[key, parsed.data] as const]
    onWrongValue(key)
    return []
  })
  return {
    values: { ...defaultSiteValues(fallbacks), ...Object.fromEntries(set) },
    changes: String(newest?.version ?? 0),
  }
}

/** Whether this installation has, or ever had, that name: pictures keep the one they were made under. */
export async function wasSiteName(
  { database, site }: { database: Database; site: Pick<Site, 'values'> },
  name: string,
): Promise<boolean> {
  if (name === programName || name === site.values()['brand.name']) return true
  const named = sql`key = 'brand.name' and after = ${JSON.stringify(name)} limit 1`
  const earlier = await findRow(database, 'site_setting_changes', named)
  return earlier !== undefined
}
