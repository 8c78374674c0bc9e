import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'

/** A device is written down when it is new, and then once a day. */
export const deviceNoteIntervalMs = 24 * 60 * 60_000

/** The digests under which a device is written down. */
export interface DeviceDigests {
  hash: Buffer
  fallbackHash: Buffer
}

/**
 * Writes down that the person used the device, under both its digests, unless that was done
 * within a day. True when the person had used neither before.
 */
export async function rememberDevice(
  database: Queryable,
  { userId, device, now }: { userId: string; device: DeviceDigests; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    with device as (
      select unnest(${[device.hash, device.fallbackHash]}::bytea[]) as device_hash
    ),
    -- Sees the table as it was before this statement.
    known as materialized (
      select user_devices.device_hash from device join user_devices using (device_hash)
      where user_id = ${userId}
    ),
    noted as (
      insert into user_devices as seen (user_id, device_hash, first_seen_at, last_seen_at)
      select ${userId}, device_hash, ${now}, ${now} from device
      on conflict on constraint user_devices_known_once
      do update set last_seen_at = excluded.last_seen_at
      where seen.last_seen_at <= ${new Date(now.getTime() - deviceNoteIntervalMs)}
    )
    select not exists (select from known) as "isNew"`.execute(database)
  return rows[0]?.isNew ?? true
}
