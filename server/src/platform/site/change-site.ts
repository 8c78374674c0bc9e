import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { inTransaction } from '../db/database.ts'
import type { Database, Transaction } from '../db/database.ts'
import { publishAtCommit } from '../db/notifications.ts'
import { deleteRows, findRow, findRows, insertRow } from '../db/rows.ts'
import type { SiteSettingChangesTable } from '../db/tables.d.ts'
import { siteTopic } from './site.ts'
import type { SiteKey, SiteValues } from './site-settings.ts'

/** Who changes a setting, and when. */
export type SiteChanger = { operatorName: string; now: Date }

/** One change as the history has it; null stands for the default. */
export type SiteChange = Selectable<SiteSettingChangesTable>

/**
 * Sets settings whose values passed their schemas and notifies all nodes. Answers what changed;
 * undefined, and sets nothing, when one of them changed after `seenVersion`.
 */
export async function changeSite(
  database: Database,
  values: Partial<SiteValues>,
  { seenVersion, ...changer }: SiteChanger & { seenVersion?: string },
): Promise<SiteChange[] | undefined> {
  return changeLocked(database, async (transaction) => {
    const keys = Object.keys(values)
    if (seenVersion !== undefined && (await hasNewer(transaction, keys, seenVersion))) {
      return undefined
    }
    const changes: SiteChange[] = []
    for (const [key, after] of Object.entries(values)) {
      const change = await changeOne(transaction, { key, after, ...changer })
      if (change !== undefined) changes.push(change)
    }
    return changes
  })
}

/** Puts a setting back to its default; undefined when it had it already. */
export async function unsetSite(
  database: Database,
  key: SiteKey,
  changer: SiteChanger,
): Promise<SiteChange | undefined> {
  return changeLocked(database, (transaction) =>
    changeOne(transaction, { key, after: null, ...changer }),
  )
}

/** Puts back a key's value before its newest change or that version's; undefined without one. */
export async function undoSite(
  database: Database,
  { key, version, ...changer }: SiteChanger & { key: string; version?: string },
): Promise<SiteChange | undefined> {
  return changeLocked(database, async (transaction) => {
    const ofVersion = version === undefined ? sql`` : sql`and version = ${version}`
    const change = sql`key = ${key} ${ofVersion} order by version desc limit 1`
    const undone = await findRow(transaction, 'site_setting_changes', change)
    if (undone === undefined) return undefined
    return changeOne(transaction, { key, after: undone.before, ...changer })
  })
}

/** The newest changes, of one key or of all. */
export async function listSiteChanges(
  database: Database,
  { key, limit }: { key?: string; limit: number },
): Promise<SiteChange[]> {
  const changes = sql`${key === undefined ? sql`true` : sql`key = ${key}`}
    order by version desc limit ${limit}`
  return findRows(database, 'site_setting_changes', changes)
}

/** Changes are rare and go one after the other; readers don't wait. */
function changeLocked<Result>(
  database: Database,
  change: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(database, async (transaction) => {
    await sql`lock table site_settings in share row exclusive mode`.execute(transaction)
    return change(transaction)
  })
}

async function hasNewer(transaction: Transaction, keys: string[], version: string) {
  const newer = sql`key = any(${keys}) and version > ${version} limit 1`
  return (await findRow(transaction, 'site_setting_changes', newer)) !== undefined
}

async function changeOne(
  transaction: Transaction,
  { key, after, operatorName, now }: SiteChanger & { key: string; after: unknown },
): Promise<SiteChange | undefined> {
  const row = await findRow(transaction, 'site_settings', { key })
  const before: unknown = row?.value ?? null
  if (isDeepStrictEqual(before, after)) return undefined
  const value = after === null ? null : JSON.stringify(after)
  const change = await insertRow(transaction, 'site_setting_changes', {
    key,
    before: before === null ? null : JSON.stringify(before),
    after: value,
    operator_name: operatorName,
    changed_at: now,
  })
  const { version } = change
  if (value === null) {
    await deleteRows(transaction, 'site_settings', { key })
  } else {
    await transaction
      .insertInto('site_settings')
      .values({ key, value, version })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, version }))
      .execute()
  }
  await publishAtCommit(transaction, siteTopic)
  return change
}
