import type { Database } from '../db/database.ts'
import type { Notifications } from '../db/notifications.ts'
import type { Logger } from '../logging/logger.ts'
import { defaultSiteValues, isSiteKey, siteSettings } from './site-settings.ts'
import type { SiteFallbacks } from './setting.ts'
import type { SiteKey, SiteValues } from './site-settings.ts'

/** The topic that is published when a site setting changed. */
export const siteTopic = 'site-settings'
/** A message may get lost, so the settings are also read from time to time. */
const pollIntervalMs = 10_000

/** What operators have set, as this node knows it: at most a second old. */
export interface Site {
  /** All settings; what isn't set has its default. */
  values(): SiteValues
  /** The newest change among what is set; forms carry it, so that nobody overwrites unseen. */
  version(): string
  /** Reads them anew, as after a change of one's own. */
  refresh(): Promise<void>
  /** Calls `listener` after each change; returns how to unsubscribe. */
  subscribe(listener: () => void): () => void
  close(): void
}

/** Reads the settings and keeps them up to date until it is closed. */
export async function openSite(parts: {
  database: Database
  notifications: Notifications
  fallbacks: SiteFallbacks
  log: Logger
}): Promise<Site> {
  const { database, notifications, fallbacks, log } = parts
  const listeners = new Set<() => void>()
  const tellWrongValue = (key: SiteKey) => {
    log.warn({ key }, 'a site setting is not as expected and counts as not set')
  }
  let current = await readSite(database, fallbacks, tellWrongValue)

  async function refresh(): Promise<void> {
    const next = await readSite(database, fallbacks, tellWrongValue)
    // An older answer may come later.
    if (BigInt(next.changes) <= BigInt(current.changes)) return
    current = next
    for (const listener of listeners) listener()
  }
  const refreshInBackground = () => {
    refresh().catch((error: unknown) => {
      log.warn({ err: error }, 'the site settings could not be read')
    })
  }
  const unsubscribe = notifications.subscribe(siteTopic, refreshInBackground)
  const poll = setInterval(refreshInBackground, pollIntervalMs)
  poll.unref()
  return {
    values: () => current.values,
    version: () => current.changes,
    refresh,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      clearInterval(poll)
      unsubscribe()
      listeners.clear()
    },
  }
}

/**
 * The settings as they are stored. A value that this version doesn't accept counts as not set, so
 * that a wrong one never keeps the program from starting; `onWrongValue` is called with it.
 */
export async function readSite(
  database: Database,
  fallbacks: SiteFallbacks,
  onWrongValue: (key: SiteKey) => void,
): Promise<{ values: SiteValues; changes: string }> {
  // The version is read first: values that are newer than it are read once more, never missed.
  const newest = await database
    .selectFrom('site_setting_changes')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirst()
  const rows = await database.selectFrom('site_settings').select(['key', 'value']).execute()
  const set = rows.flatMap(({ key, value }) => {
    if (!isSiteKey(key)) return []
    const parsed = siteSettings[key].schema.safeParse(value)
    if (parsed.success) return [[key, parsed.data] as const]
    onWrongValue(key)
    return []
  })
  return {
    values: { ...defaultSiteValues(fallbacks), ...Object.fromEntries(set) },
    changes: String(newest?.version ?? 0),
  }
}
